#include "sim/plan/peaks.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/engine/run.hpp"
#include "sim/engine/run_observer.hpp"

namespace highwater::plan {
namespace {

class PeakObserver final : public RunObserver {
  public:
    PeakObserver(const Program& program, std::vector<Phase> phases)
        : program_(program), phases_(std::move(phases)) {}

    void take(const TraceEvent& event) override {
        using Kind = TraceEvent::Kind;
        if (event.kind == Kind::kSegmentAlloc || event.kind == Kind::kSegmentMap) {
            now_.reserved += event.size;
        } else if (event.kind == Kind::kSegmentFree || event.kind == Kind::kSegmentUnmap) {
            now_.reserved -= event.size;
        }
    }
    void took(std::size_t op, const OpResult&, const Executor& executor) override {
        note(op, executor);
    }
    void failed(std::size_t op, const Executor& executor) override { note(op, executor); }

    std::vector<PhasePeak> peaks() && { return std::move(peaks_); }

  private:
    void note(std::size_t op, const Executor& executor) {
        if (executor.async_allocator() != nullptr) {
            now_.reserved = Bytes{executor.stats().reserved_bytes.all.current};
        }
        if (peaks_.empty() || may_change_driver(program_.ops[op])) {
            now_.driver = executor.driver().total();
        }
        enter_phase(op);
        PhasePeak& peak = peaks_.back();
        if (now_.total() > peak.most.total()) {
            peak.most = now_;
            peak.op = op;
        }
        peak.last = now_;
    }

    void enter_phase(std::size_t op) {
        while (peaks_.empty() || op >= peaks_.back().phase.end) {
            const std::size_t next = peaks_.size();
            peaks_.push_back({phases_.at(next), now_, op, now_});
        }
    }

    // Kernels do with their stream's first.
    bool may_change_driver(const Op& op) {
        if (const auto* kernel = std::get_if<op::Kernel>(&op)) {
            return launched_on_.insert(kernel->stream).second;
        }
        return !std::holds_alternative<op::Alloc>(op) && !std::holds_alternative<op::Free>(op);
    }

    const Program& program_;
    std::vector<Phase> phases_;
    InUse now_;
    std::set<StreamId> launched_on_;
    std::vector<PhasePeak> peaks_;
};

}  // namespace

PlannedRun run_phases(const Lowered& lowered, const CostProfile* costs) {
    PeakObserver observer(lowered.program, phases_of(lowered));
    RunOptions options;
    options.costs = costs;
    options.observer = &observer;
    Ledger ledger = run(lowered.program, options);
    std::vector<PhasePeak> peaks = std::move(observer).peaks();
    if (peaks.empty()) {
        peaks.push_back({{"nothing to do", {}, 0, 0}, {}, 0, {}});
    }
    return {std::move(ledger), std::move(peaks)};
}

Bytes allowed_on(const Machine& machine) {
    const double allowed =
        machine.memory_fraction * static_cast<double>(machine.total_memory.count);
    return Bytes{static_cast<std::uint64_t>(allowed)};
}

Bytes left_of(Bytes capacity, Bytes allowed, const InUse& use) {
    return std::min(capacity - std::min(use.total(), capacity),
                    allowed - std::min(use.reserved, allowed));
}

Bytes left_on(const Machine& machine, const PlannedRun& run) {
    Bytes left = machine.total_memory;
    for (const PhasePeak& peak : run.peaks) {
        left = std::min(left, left_of(machine.total_memory, allowed_on(machine), peak.most));
    }
    return left;
}

const Failure* lack_of_memory(const Ledger& ledger) {
    const auto found =
        std::ranges::find(ledger.caught, Failure::Kind::kOutOfMemory, &Failure::kind);
    if (found != ledger.caught.end()) {
        return &*found;
    }
    const bool ran_out = ledger.failure && ledger.failure->kind == Failure::Kind::kOutOfMemory;
    return ran_out ? &*ledger.failure : nullptr;
}

bool has_room(const Ledger& ledger) {
    return !ledger.failure && lack_of_memory(ledger) == nullptr;
}

const PhasePeak& worst_of(const PlannedRun& run) {
    check(!run.peaks.empty(), "a run has reached a phase");
    return *std::ranges::max_element(
        run.peaks, {}, [](const PhasePeak& peak) { return peak.most.total(); });
}

}  // namespace highwater::plan
