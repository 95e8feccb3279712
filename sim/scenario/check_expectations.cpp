#include "sim/scenario/check_expectations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/parameters.hpp"
#include "sim/scenario/suggestion.hpp"

namespace highwater {
namespace {

std::vector<std::string> names_of(const std::vector<MeasureFormula>& measures) {
    std::vector<std::string> names;
    names.reserve(measures.size());
    for (const MeasureFormula& measure : measures) {
        names.push_back(measure.name.text);
    }
    return names;
}

void require_measure(const PlacedText& name, const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name.text) == known.end()) {
        throw InputError(name.place,
                         fmt::format("unknown measure `{}`", quoted(name.text)),
                         suggestion(name.text, known, "define it under `measures`"));
    }
}

}  // namespace

void check_expectations(const Scenario& scenario, Problems& problems) {
    const std::vector<std::string> known = names_of(scenario.measures);
    for (const Expectation& expectation : scenario.expectations) {
        for (const ExpectedMeasure& expected : expectation.measures) {
            problems.attempt([&] { require_measure(expected.measure, known); });
        }
        problems.attempt([&] { resolve_parameters(scenario, expectation.with); });
    }
}

}  // namespace highwater
