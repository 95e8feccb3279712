#include "sim/cli/point.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/engine/pool_bounds.hpp"
#include "sim/hazards/hazard_detector.hpp"
#include "sim/report/hazard_rows.hpp"
#include "sim/scenario/facts/cost_profiles.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/result/graph_figures.hpp"
#include "sim/scenario/result/measures.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

std::vector<std::optional<Duration>> padding_times(const Point& point) {
    std::vector<std::optional<Duration>> times;
    if (point.report.ledger.times) {
        for (const ServedBucket& row : point.report.served) {
            times.push_back(padding_time(point.program, point.report.ledger, row));
        }
    }
    return times;
}

}  // namespace

std::optional<CostProfile> cost_profile_of(const Program& program, const std::string& name) {
    const std::string& profile = program.machine.cost_profile;
    if (profile.empty()) {
        return std::nullopt;
    }
    if (names_a_file(profile)) {
        return parse_cost_profile(read_scenario_file(profile), profile, profile);
    }
    if (std::optional<CostProfile> known = find_cost_profile(profile)) {
        return known;
    }
    throw InputError({name},
                     fmt::format("unknown cost profile `{}`", highwater::quoted(profile)),
                     suggestion(profile, cost_profile_names(), "leave it out"));
}

Point simulate(Program program,
               const std::string& name,
               const std::optional<CostProfile>& costs,
               const Noting& noting) {
    Point point{std::move(program), {}, {}, {}, costs};
    HazardDetector detector(point.program);
    RunOptions options;
    options.observer = &detector;
    options.graphs = noting.graphs || noting.bounds ? &point.graphs : nullptr;
    options.costs = costs ? &*costs : nullptr;
    options.memory_over_time = noting.memory_over_time;
    options.history = noting.history ? &point.history : nullptr;
    point.report = report_of(point.program, run(point.program, options));
    point.report.scenario = name;
    point.report.hazards = hazard_rows(point.program, detector.hazards());
    point.report.unlisted_hazards = detector.unlisted();
    if (noting.bounds) {
        point.report.bounds = pool_bounds(point.program, point.report.ledger, point.graphs);
    }
    if (costs) {
        point.report.costs = source_of(*costs, false);
    }
    return point;
}

Point simulate(const Scenario& scenario,
               std::span<const Override> overrides,
               const LoweringLimits& limits,
               const Noting& noting,
               const ProgramEdit& edit) {
    const ParameterValues values = resolve_parameters(scenario, overrides);
    Lowered lowered = lower(scenario, values, limits);
    if (edit) {
        edit(lowered.program);
    }
    Point point =
        simulate(std::move(lowered.program), scenario.name, scenario.machine.costs, noting);
    RunReport& report = point.report;
    if (report.costs) {
        report.costs->is_of_another_card = scenario.machine.costs_are_of_another_card;
    }
    if (!scenario.machine.costs && !scenario.machine.wants_no_costs) {
        report.untimed = untimed_of(point.program, lowered.times_left_out);
    }
    report.description = scenario.description;
    report.served = std::move(lowered.served);
    report.padding_times = padding_times(point);
    for (const auto& [name, value] : values.all()) {
        report.parameters.push_back({name, value});
    }
    for (Measure& measure :
         evaluate_measures(scenario, values, point.program, report.ledger, report.served)) {
        if (measure.value) {
            report.measures.push_back({std::move(measure.name), std::move(*measure.value)});
        } else if (!report.ledger.failure) {
            report.unknown_measures.push_back(std::move(measure.name));
        }
    }
    return point;
}

}  // namespace highwater
