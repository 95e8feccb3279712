#include "sim/plan/plan.hpp"

#include <utility>

#include "sim/plan/fit/largest.hpp"
#include "sim/plan/fit/setting.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::plan {
namespace {

Lowered lowered_with(const Scenario& scenario, std::span<const Override> overrides) {
    return lower(scenario, resolve_parameters(scenario, overrides));
}

LargestParameter largest_of(const Scenario& scenario,
                            std::span<const Override> overrides,
                            const ParameterRange& range) {
    const SettableScenario settable(scenario, overrides, "--largest");
    LargestParameter found{
        range.name, {}, range.least, settable.reachable(range.name, range.most), 0};
    const Fits fits = [&](std::int64_t value) {
        ++found.runs;
        const std::vector<Setting> with{{range.name, value}};
        return has_room(run_phases(settable.lowered_with(with), costs_of(scenario)).ledger);
    };
    found.value = largest({range.least, found.most}, fits);
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
    const CostProfile* const costs = costs_of(scenario);
    const Lowered lowered = lowered_with(scenario, overrides);
    Plan plan;
    plan.capacity = lowered.program.machine.total_memory;
    plan.run = run_phases(lowered, costs);
    plan.worst = worst_of(plan.run);
    plan.allowed = allowed_on(lowered.program.machine);
    plan.left = left_on(lowered.program.machine, plan.run);
    plan.budget = budget_behind(lowered, plan.worst.op, costs);
    plan.kv_tokens = kv_tokens_in(lowered, plan.run.ledger);
    if (questions.kv_cache) {
        plan.kv = largest_kv_cache(lowered, costs);
    }
    if (questions.largest) {
        plan.largest = largest_of(scenario, overrides, *questions.largest);
    }
    return plan;
}

}  // namespace highwater::plan
