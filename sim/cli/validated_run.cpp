#include "sim/cli/validated_run.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cli/point.hpp"
#include "sim/core/error.hpp"
#include "sim/report/run_json.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "sim/scenario/result/measures.hpp"
#include "sim/scenario/text/suggestion.hpp"
#include "validate/compare/given_rest.hpp"

namespace highwater {
namespace {

constexpr const char* kMeasureAnew = "measure it anew, or check out the scenario that was measured";

// A run on a card with as much left as there was, and what took it.
struct Predicted {
    Point point;
    std::vector<ComparedFigure> rests;
};

// Once more, with tensors of the measured sizes, as far as the card's size has not made them so.
Point given_rests(const Scenario& scenario,
                  const std::vector<Override>& overrides,
                  const MeasuredRun& measured,
                  std::optional<Bytes> card) {
    std::vector<MeasuredRest> rests;
    const auto edit = [&](Program& program) {
        if (card) {
            fit_card(program, *card);
        }
        for (const MeasuredRest& rest : rests) {
            give_rest(program, rest);
        }
    };
    Point point = simulate(scenario, overrides, {}, {}, edit);
    std::size_t from = 0;
    while (auto rest = measured_rest(point.program, point.report.ledger, measured, from)) {
        from = rest->op + 1;
        if (rest->figure.verdict != Verdict::kEqual) {
            rests.push_back(std::move(*rest));
            point = simulate(scenario, overrides, {}, {}, edit);
        }
    }
    return point;
}

Predicted predict(const Scenario& scenario,
                  const std::vector<Override>& overrides,
                  const MeasuredRun& measured) {
    Predicted predicted{simulate(scenario, overrides), {}};
    const Point& point = predicted.point;
    std::optional<Bytes> card;
    std::size_t from = 0;
    while (auto rest = measured_rest(point.program, point.report.ledger, measured, from)) {
        from = rest->op + 1;
        card = card ? card : rest->card;
        predicted.rests.push_back(std::move(rest->figure));
    }
    const bool is_as_measured = std::ranges::all_of(
        predicted.rests,
        [](const ComparedFigure& rest) { return rest.verdict == Verdict::kEqual; });
    if (has_predicted_allocator(measured) && !is_as_measured) {
        predicted.point = given_rests(scenario, overrides, measured, card);
    }
    return predicted;
}

// Measures that would be others if the driver held nothing: they are figures of the driver.
std::set<std::string> measures_of_driver(const Scenario& scenario,
                                         const std::vector<Override>& overrides,
                                         const Point& point) {
    Ledger bare = point.report.ledger;
    for (CheckpointRow& row : bare.checkpoints) {
        row.driver = row.driver_error = Bytes{};
    }
    if (bare.driver) {
        bare.driver->clear();
    }
    for (GraphRow& row : bare.graphs) {
        row.driver = Bytes{};
    }
    std::set<std::string> names;
    const std::vector<Field>& fields = point.report.measures;
    for (const Measure& measure : evaluate_measures(scenario,
                                                    resolve_parameters(scenario, overrides),
                                                    point.program,
                                                    bare,
                                                    point.report.served)) {
        const auto field = std::ranges::find(fields, measure.name, &Field::name);
        if (field != fields.end() && (!measure.value || *measure.value != field->value)) {
            names.insert(measure.name);
        }
    }
    return names;
}

RunFigures figures_with_kinds(const RunReport& report, const std::set<std::string>& of_driver) {
    RunFigures figures = figures_of(run_json(report));
    for (PlaceFigures& place : figures.places) {
        for (RunFigure& figure : place.figures) {
            if (place.place.what == FigurePlace::What::kMeasures &&
                of_driver.contains(figure.name)) {
                figure.kind = FigureKind::kDriver;
            }
        }
    }
    return figures;
}

const Value* find_value(const ParameterValues& values, const std::string& name) {
    const auto& all = values.all();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == name; });
    return found == all.end() ? nullptr : &found->second;
}

std::vector<Field> chosen_by(const std::vector<Override>& overrides, const MeasuredRun& measured) {
    std::vector<Field> chosen;
    for (const Override& each : overrides) {
        chosen.push_back(*std::ranges::find(measured.figures.parameters, each.name, &Field::name));
    }
    return chosen;
}

}  // namespace

std::vector<Override> overrides_for(const Scenario& scenario, const MeasuredRun& measured) {
    std::vector<Override> overrides;
    ParameterValues values = resolve_parameters(scenario);
    for (const Field& field : measured.figures.parameters) {
        const Value* const value = find_value(values, field.name);
        if (value == nullptr) {
            throw InputError({measured.file},
                             fmt::format("the scenario `{}` has no parameter `{}`",
                                         scenario.name,
                                         highwater::quoted(field.name)),
                             kMeasureAnew);
        }
        if (field_text(*value) != field_text(field.value)) {
            overrides.push_back({field.name, field_text(field.value), {measured.file}});
            values = resolve_parameters(scenario, overrides);
        }
    }
    if (values.all().size() > measured.figures.parameters.size()) {
        throw InputError({measured.file},
                         fmt::format("the scenario `{}` has got more parameters", scenario.name),
                         kMeasureAnew);
    }
    return overrides;
}

Comparison validated(const Scenario& scenario, MeasuredRun measured, const Tolerances& tolerances) {
    const std::vector<Override> overrides = overrides_for(scenario, measured);
    Predicted predicted = predict(scenario, overrides, measured);
    const RunReport& report = predicted.point.report;
    Comparison comparison;
    comparison.hazards = report.hazards.size() + report.unlisted_hazards;
    comparison.chosen = chosen_by(overrides, measured);
    const RunFigures figures =
        figures_with_kinds(report, measures_of_driver(scenario, overrides, predicted.point));
    comparison.figures = compare({figures, comparison.hazards}, measured, tolerances);
    if (has_predicted_allocator(measured)) {
        std::ranges::move(predicted.rests, std::back_inserter(comparison.figures));
    }
    comparison.measured = std::move(measured);
    return comparison;
}

}  // namespace highwater
