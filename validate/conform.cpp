#include "validate/conform.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/allocator/audit.hpp"
#include "sim/allocator/recorded_memory.hpp"
#include "validate/describe.hpp"
#include "validate/event_order.hpp"
#include "validate/recorded_file.hpp"

namespace highwater {
namespace {

class VectorSink : public TraceSink {
  public:
    void take(const TraceEvent& event) override { events.push_back(event); }
    std::vector<TraceEvent> events;
};

// Visits blocks in the order in which the recording completes their frees from here on.
class RecordedOrder : public VisitOrder {
  public:
    explicit RecordedOrder(const std::vector<TraceEvent>& trace) : trace_(trace) {}

    std::uint64_t rank(Address block) const override {
        std::size_t i = from;
        while (i < trace_.size() &&
               (trace_[i].kind != TraceEvent::Kind::kFreeCompleted || trace_[i].address != block)) {
            ++i;
        }
        return i;
    }

    std::size_t from = 0;

  private:
    const std::vector<TraceEvent>& trace_;
};

class Replay {
  public:
    Replay(const RecordedProgram& recorded, bool audited)
        : recorded_(recorded),
          audited_(audited),
          memory_(recorded.trace),
          order_(recorded.trace),
          executor_(recorded.program, memory_, {}, recorded.numbers) {
        std::ranges::transform(recorded.counters, std::back_inserter(counters_), counter_reader);
        executor_.allocator().adopt(recorded.base);
        executor_.allocator().set_trace(&sink_);
        executor_.allocator().set_visit_order(&order_);
    }

    std::optional<Departure> run() {
        for (std::size_t i = 0; i < recorded_.ops.size() && !departure_; ++i) {
            operation_ = i;
            step(recorded_.ops[i]);
        }
        if (!departure_) {
            operation_ = recorded_.ops.size();
            compare_end();
        }
        return departure_;
    }

  private:
    std::string operation() const {
        return operation_ < recorded_.ops.size()
                   ? fmt::format("{} {}", operation_, recorded_.ops[operation_].text)
                   : "end";
    }

    void depart(std::string what, std::string expected, std::string got) {
        if (!departure_) {
            departure_ = {
                recorded_.seed, operation(), std::move(what), std::move(expected), std::move(got)};
        }
    }

    void step(const RecordedOp& op) {
        sink_.events.clear();
        OpResult result;
        try {
            for (std::size_t i = op.begin; i < op.end; ++i) {
                result = executor_.step(i);
            }
        } catch (const PredictedError& error) {
            depart("outcome", "no error", error.what());
            return;
        }
        compare_result(op, result);
        compare_counters(op);
        compare_events();
        if (audited_) {
            compare_audit();
        }
    }

    void compare_result(const RecordedOp& op, const OpResult& result) {
        const RecordedResult got = recorded_form(result);
        if (got != op.result && !std::holds_alternative<std::monostate>(op.result)) {
            depart("result", describe(op.result), describe(got));
        }
    }

    void compare_counters(const RecordedOp& op) {
        const MemoryStats stats = executor_.allocator().stats();
        for (std::size_t i = 0; i < counters_.size(); ++i) {
            const std::uint64_t got = counters_[i](stats);
            if (got != op.counters[i]) {
                depart(recorded_.counters[i], std::to_string(op.counters[i]), std::to_string(got));
            }
        }
    }

    void compare_events() {
        const std::size_t left = recorded_.trace.size() - order_.from;
        const auto recorded =
            std::span(recorded_.trace).subspan(order_.from, std::min(left, sink_.events.size()));
        order_.from += recorded.size();
        const std::vector<TraceEvent> got = in_recorded_order(sink_.events, recorded);
        const auto [e, g] = std::ranges::mismatch(recorded, got, same_event);
        if (g != got.end()) {
            depart(fmt::format("trace event {}", g - got.begin()),
                   e == recorded.end() ? "none" : describe(*e),
                   describe(*g));
        }
    }

    void compare_audit() {
        const auto findings = allocator::audit(executor_.allocator().state());
        if (!findings.empty()) {
            depart("audit", "no finding", fmt::format("{}", fmt::join(findings, "; ")));
        }
    }

    void compare_end() {
        if (order_.from != recorded_.trace.size()) {
            depart("trace", describe(recorded_.trace[order_.from]), "none");
        }
        compare_segments();
        compare_stats();
    }

    void compare_segments() {
        const std::vector<SegmentInfo> got = executor_.allocator().snapshot();
        const auto [e, g] =
            std::ranges::mismatch(recorded_.segments, got, allocator::same_as_far_as_known);
        if (e != recorded_.segments.end() || g != got.end()) {
            depart("segments",
                   e == recorded_.segments.end() ? "none" : describe(*e),
                   g == got.end() ? "none" : describe(*g));
        }
    }

    void compare_stats() {
        const auto got = flat(executor_.allocator().stats());
        for (const auto& [name, value] : flat(recorded_.final)) {
            const std::uint64_t ours = got.at(name);
            if (ours != value) {
                depart(name, std::to_string(value), std::to_string(ours));
            }
        }
    }

    const RecordedProgram& recorded_;
    bool audited_;
    RecordedMemory memory_;
    std::vector<CounterReader> counters_;
    /// `from` is the first event not compared yet.
    RecordedOrder order_;
    VectorSink sink_;
    Executor executor_;
    /// The operation under way, or their number at the end.
    std::size_t operation_ = 0;
    std::optional<Departure> departure_;
};

}  // namespace

std::optional<Departure> replay_recorded(const RecordedProgram& recorded, bool audited) {
    return Replay(recorded, audited).run();
}

ConformReport conform_file(const std::string& path) {
    ConformReport report;
    read_recorded_file(path, [&report](const RecordedProgram& recorded) {
        const auto departure = replay_recorded(recorded);
        ++report.total;
        report.exact += departure ? 0U : 1U;
        if (departure && !report.first) {
            report.first = departure;
        }
    });
    return report;
}

}  // namespace highwater
