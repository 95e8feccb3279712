#include "sim/cli/point.hpp"

#include <utility>

#include "sim/engine/run.hpp"
#include "sim/scenario/result/measures.hpp"

namespace highwater {

Point simulate(Program program, const std::string& name) {
    Point point{std::move(program), {}};
    point.report = report_of(point.program, run(point.program));
    point.report.scenario = name;
    return point;
}

Point simulate(const Scenario& scenario,
               std::span<const Override> overrides,
               const LoweringLimits& limits) {
    const ParameterValues values = resolve_parameters(scenario, overrides);
    Lowered lowered = lower(scenario, values, limits);
    Point point = simulate(std::move(lowered.program), scenario.name);
    RunReport& report = point.report;
    report.description = scenario.description;
    report.served = std::move(lowered.served);
    for (const auto& [name, value] : values.all()) {
        report.parameters.push_back({name, value});
    }
    for (Measure& measure :
         evaluate_measures(scenario, values, point.program, report.ledger, report.served)) {
        if (measure.value) {
            report.measures.push_back({std::move(measure.name), std::move(*measure.value)});
        }
    }
    return point;
}

}  // namespace highwater
