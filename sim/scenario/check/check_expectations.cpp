#include "sim/scenario/check/check_expectations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/lower/parameters.hpp"
#include "sim/scenario/text/suggestion.hpp"

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

void require_measure(const PlacedText& name,
                     const std::vector<std::string>& known,
                     const Problems& problems) {
    const bool is_known = std::find(known.begin(), known.end(), name.text) != known.end();
    if (!is_known && !problems.is_lost(name.text)) {
        throw InputError(name.place,
                         fmt::format("unknown measure `{}`", quoted(name.text)),
                         suggestion(name.text, known, "define it under `measures`"));
    }
}

}  // namespace

// The parameters are resolved only where they can be: else every entry would tell the same.
void check_expectations(const Scenario& scenario, Problems& problems) {
    const bool are_resolvable = problems.all().empty();
    const std::vector<std::string> known = names_of(scenario.measures);
    for (const Expectation& expectation : scenario.expectations) {
        for (const ExpectedMeasure& expected : expectation.measures) {
            problems.attempt([&] { require_measure(expected.measure, known, problems); });
        }
        if (are_resolvable) {
            problems.attempt([&] { resolve_parameters(scenario, expectation.with); });
        }
    }
}

}  // namespace highwater
