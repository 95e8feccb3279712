#include "sim/plan/engines/meters.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include "sim/engine/run.hpp"
#include "sim/engine/run_observer.hpp"

namespace highwater::plan {
namespace {

std::int64_t difference(Bytes from, Bytes to) {
    return static_cast<std::int64_t>(to.count) - static_cast<std::int64_t>(from.count);
}

class MeterReader final : public RunObserver {
  public:
    void take(const TraceEvent&) override {}
    void took(std::size_t, const OpResult&, const Executor& executor) override { read(executor); }
    void failed(std::size_t, const Executor& executor) override { read(executor); }
    std::vector<Meters> all() && { return std::move(all_); }

  private:
    void read(const Executor& executor) {
        const MemoryStats stats = executor.stats();
        all_.push_back({Bytes{stats.allocated_bytes.all.current},
                        Bytes{stats.reserved_bytes.all.current},
                        executor.driver().total()});
    }
    std::vector<Meters> all_;
};

// `graph[8]` of `graph[8][3]`, the fourth of its graphs, and of `graph[8].2`, captured anew.
std::string pass_name(const std::string& graph) {
    return graph.substr(0,
                        graph.find(']') == std::string::npos ? graph.size() : graph.find(']') + 1);
}

std::optional<std::int64_t> number_in(const std::string& name) {
    const std::size_t open = name.find('[');
    if (open == std::string::npos) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const char* const begin = name.data() + open + 1;
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), number);
    return error == std::errc{} && *end == ']' ? std::optional(number) : std::nullopt;
}

class PassFinder {
  public:
    explicit PassFinder(const Lowered& lowered) : lowered_(lowered) {}

    std::vector<CapturedPass> find() {
        const std::vector<Op>& ops = lowered_.program.ops;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            if (const auto* begin = std::get_if<op::BeginCapture>(&ops[i])) {
                begin_at(i, lowered_.program.graphs[index_of(begin->graph)]);
            } else if (std::holds_alternative<op::EndCapture>(ops[i]) && is_open_) {
                passes_.back().end = i + 1;
                is_open_ = false;
            }
        }
        stretch();
        return std::move(passes_);
    }

  private:
    void begin_at(std::size_t op, const std::string& graph) {
        const PhaseSpan* const span = span_of(op);
        if (span != nullptr && span->kind == PhaseSpan::Kind::kServe) {
            return;
        }
        is_open_ = true;
        const std::string name = pass_name(graph);
        if (!passes_.empty() && span == last_ && passes_.back().graph == name) {
            return;
        }
        if (passes_.empty() || span != last_) {
            const auto known = std::ranges::find(modes_, span);
            mode_ = static_cast<std::size_t>(known - modes_.begin());
            if (known == modes_.end()) {
                modes_.push_back(span);
            }
        }
        last_ = span;
        passes_.push_back({name, number_in(name), mode_, op, op + 1});
    }

    // Up to where the next capture of its mode begins: the host drops outputs in between, and
    // synchronises and empties the cache for the next.
    void stretch() {
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            CapturedPass& pass = passes_[i];
            if (i + 1 < passes_.size() && passes_[i + 1].mode == pass.mode) {
                pass.end = begin_of_preparation(pass.end, passes_[i + 1].first);
            } else if (const PhaseSpan* span = span_of(pass.first)) {
                pass.end = span->end;
            }
        }
    }

    std::size_t begin_of_preparation(std::size_t least, std::size_t begin) const {
        const std::vector<Op>& ops = lowered_.program.ops;
        while (begin > least && (std::holds_alternative<op::EmptyCache>(ops[begin - 1]) ||
                                 std::holds_alternative<op::Synchronize>(ops[begin - 1]))) {
            --begin;
        }
        return begin;
    }

    const PhaseSpan* span_of(std::size_t op) const {
        const auto found = std::ranges::find_if(lowered_.phases, [&](const PhaseSpan& span) {
            return span.first <= op && op < span.end;
        });
        return found == lowered_.phases.end() ? nullptr : &*found;
    }

    const Lowered& lowered_;
    std::vector<CapturedPass> passes_;
    std::vector<const PhaseSpan*> modes_;
    const PhaseSpan* last_ = nullptr;
    std::size_t mode_ = 0;
    bool is_open_ = false;
};

}  // namespace

MeterDelta delta(const Meters& from, const Meters& to) {
    return {difference(from.allocated, to.allocated),
            difference(from.reserved, to.reserved),
            difference(from.in_use(), to.in_use())};
}

MeteredRun::MeteredRun(const Program& program, const CostProfile* costs) {
    MeterReader reader;
    RunOptions options;
    options.costs = costs;
    options.observer = &reader;
    ledger_ = run(program, options);
    behind_ = std::move(reader).all();
}

Meters MeteredRun::before(std::size_t op) const {
    if (behind_.empty()) {
        return {};
    }
    // The context is there from the beginning.
    return op == 0 ? Meters{{}, {}, behind_.front().driver}
                   : behind_[std::min(op, behind_.size()) - 1];
}

Bytes MeteredRun::peak_allocated(std::size_t first, std::size_t end) const {
    Bytes most = before(first).allocated;
    for (std::size_t op = first; op < std::min(end, behind_.size()); ++op) {
        most = std::max(most, behind_[op].allocated);
    }
    return most;
}

Bytes MeteredRun::peak_in_use(std::size_t first, std::size_t end) const {
    Bytes most = before(first).in_use();
    for (std::size_t op = first; op < std::min(end, behind_.size()); ++op) {
        most = std::max(most, behind_[op].in_use());
    }
    return most;
}

void MeteredRun::leave_out(std::size_t op) {
    if (op >= behind_.size()) {
        return;
    }
    const Bytes allocated = behind_[op].allocated - before(op).allocated;
    const Bytes was = before(op).reserved;
    // It may have made the allocator give back what it cached.
    const Bytes reserved = behind_[op].reserved > was ? behind_[op].reserved - was : Bytes{};
    for (std::size_t i = op; i < behind_.size(); ++i) {
        behind_[i].allocated -= std::min(allocated, behind_[i].allocated);
        behind_[i].reserved -= std::min(reserved, behind_[i].reserved);
    }
}

std::vector<CapturedPass> captured_passes(const Lowered& lowered) {
    return PassFinder(lowered).find();
}

}  // namespace highwater::plan
