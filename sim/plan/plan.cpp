#include "sim/plan/plan.hpp"

#include <algorithm>
#include <utility>

#include "sim/plan/fit/largest.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::plan {
namespace {

const CostProfile* costs_of(const Scenario& scenario) {
    return scenario.machine.costs ? &*scenario.machine.costs : nullptr;
}

Lowered lowered_with(const Scenario& scenario, std::span<const Override> overrides) {
    return lower(scenario, resolve_parameters(scenario, overrides));
}

// Of the cache's last placement: what it asked for itself, or what was left.
std::optional<std::int64_t> tokens_of(const Lowered& lowered, const Ledger& ledger) {
    if (lowered.kv_caches.empty() || lowered.kv_caches.front().per_token == Bytes{}) {
        return std::nullopt;
    }
    const KvCacheOp& cache = lowered.kv_caches.front();
    const auto placed = std::ranges::find(ledger.placements, cache.op, &Placement::op);
    return placed == ledger.placements.end() ? std::nullopt
                                             : std::optional(static_cast<std::int64_t>(
                                                   placed->size.count / cache.per_token.count));
}

LargestParameter largest_of(const Scenario& scenario,
                            std::span<const Override> overrides,
                            const ParameterRange& range) {
    LargestParameter found{range.name, {}, range.least, range.most, 0};
    const Fits fits = [&](std::int64_t value) {
        ++found.runs;
        std::vector<Override> with(overrides.begin(), overrides.end());
        with.push_back({range.name, std::to_string(value), {"--largest"}});
        return !run_phases(lowered_with(scenario, with), costs_of(scenario)).ledger.failure;
    };
    found.value = largest({range.least, range.most}, fits);
    return found;
}

}  // namespace

Scenario on_card(Scenario scenario, Bytes capacity) {
    scenario.machine.total_memory = capacity;
    return scenario;
}

Plan make_plan(const Scenario& scenario,
               std::span<const Override> overrides,
               const PlanQuestions& questions) {
    const Scenario planned = questions.capacity ? on_card(scenario, *questions.capacity) : scenario;
    const CostProfile* const costs = costs_of(planned);
    const Lowered lowered = lowered_with(planned, overrides);
    Plan plan;
    plan.capacity = lowered.program.machine.total_memory;
    plan.run = run_phases(lowered, costs);
    plan.worst = worst_of(plan.run);
    plan.left = left_on(lowered.program.machine, plan.run);
    plan.budget = budget_behind(lowered, plan.worst.op, costs);
    plan.kv_tokens = tokens_of(lowered, plan.run.ledger);
    if (questions.kv_cache) {
        plan.kv = largest_kv_cache(lowered, costs);
    }
    if (questions.largest) {
        plan.largest = largest_of(planned, overrides, *questions.largest);
    }
    return plan;
}

}  // namespace highwater::plan
