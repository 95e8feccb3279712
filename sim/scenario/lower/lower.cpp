#include "sim/scenario/lower/lower.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/lower/step_runner.hpp"

namespace highwater {
namespace {

Bytes total_memory_of(const MachineForm& form, const Scope& scope) {
    if (const auto* formula = std::get_if<Formula>(&form.total_memory)) {
        return evaluate_size(*formula, scope);
    }
    return std::get<Bytes>(form.total_memory);
}

double memory_fraction_of(const MachineForm& form, const Scope& scope) {
    if (!form.memory_fraction) {
        return 1.0;
    }
    const Value value = evaluate(*form.memory_fraction, scope);
    if (!is_number(value) || as_real(value) < 0 || as_real(value) > 1) {
        throw InputError(form.memory_fraction->source.place,
                         fmt::format("the memory fraction is `{}`", to_text(value)),
                         "make it a number from 0 to 1");
    }
    return as_real(value);
}

std::uint32_t ranks_of(const MachineForm& form, const Scope& scope) {
    if (!form.ranks) {
        return 1;
    }
    const Value value = evaluate(*form.ranks, scope);
    if (!is_number(value) || as_real(value) < 1 || as_real(value) > kMaxRanks ||
        as_real(value) != std::floor(as_real(value))) {
        throw InputError(form.ranks->source.place,
                         fmt::format("`{}` ranks", to_text(value)),
                         fmt::format("give a whole number of processes, from 1 to {}", kMaxRanks));
    }
    return static_cast<std::uint32_t>(as_real(value));
}

Machine machine_of(const MachineForm& form, const Scope& scope) {
    Machine machine;
    machine.total_memory = total_memory_of(form, scope);
    machine.memory_fraction = memory_fraction_of(form, scope);
    machine.conf = form.conf.text;
    machine.caching = !form.caching || evaluate_condition(*form.caching, scope);
    machine.blocking_launches =
        form.blocking_launches && evaluate_condition(*form.blocking_launches, scope);
    machine.cost_profile = form.costs ? form.costs->name : "";
    machine.ranks = ranks_of(form, scope);
    return machine;
}

Lowered lowered(const Scenario& scenario,
                const ParameterValues& values,
                const LoweringLimits& limits) {
    ProgramBuilder builder(machine_of(scenario.machine, values), limits.max_operations);
    Position position(scenario, values, limits, builder);
    position.add_streams();
    StepRunner runner(scenario, position, builder);
    runner.run(scenario.steps);
    return {std::move(builder).finish(),
            runner.served(),
            runner.times_left_out(),
            runner.phase_spans(),
            runner.workspaces(),
            runner.kv_caches(),
            runner.bucket_spans()};
}

}  // namespace

Lowered lower(const Scenario& scenario,
              const ParameterValues& values,
              const LoweringLimits& limits) {
    return naming_chains(scenario.sources, [&] { return lowered(scenario, values, limits); });
}

}  // namespace highwater
