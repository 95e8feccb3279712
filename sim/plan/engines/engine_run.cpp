// A scenario with a KV cache of a given size, and what it has in use by then.
#include <algorithm>
#include <variant>

#include "sim/plan/engines/engine_plan.hpp"
#include "sim/plan/peaks.hpp"

namespace highwater::plan {
namespace {

// The end of what happens at start-up: captures and the KV cache.
std::size_t ready_op(const Lowered& lowered) {
    std::size_t ready = lowered.kv_caches.front().op + 1;
    for (const CapturedPass& pass : captured_passes(lowered)) {
        ready = std::max(ready, pass.end);
    }
    return ready;
}

const Phase& phase_of(const PlannedRun& run, std::size_t op) {
    const auto found =
        std::ranges::find_if(run.peaks, [&](const PhasePeak& peak) { return op < peak.phase.end; });
    return found == run.peaks.end() ? run.peaks.back().phase : found->phase;
}

}  // namespace

EngineRun run_with_tokens(const Lowered& lowered, const CostProfile* costs, std::int64_t tokens) {
    const Lowered sized = with_kv_cache(lowered, tokens);
    const PlannedRun planned = run_phases(sized, costs);
    const Failure* const lack = lack_of_memory(planned.ledger);
    const std::optional<Failure> failure = lack ? std::optional(*lack) : planned.ledger.failure;
    const PhasePeak& worst = worst_of(planned);
    const Phase& phase = failure ? phase_of(planned, failure->op) : worst.phase;
    const MeteredRun metered(sized.program, costs);
    return {tokens,
            failure,
            phase.name,
            phase.place,
            worst.most.total(),
            metered.before(ready_op(sized)).in_use()};
}

}  // namespace highwater::plan
