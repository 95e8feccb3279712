#include "sim/scenario/check/check_sweep.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "sim/scenario/lower/parameters.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

const Parameter& parameter_of(const Scenario& scenario,
                              const PlacedText& name,
                              const Problems& problems) {
    std::vector<std::string> known;
    for (const Parameter& parameter : scenario.parameters) {
        if (parameter.name.text == name.text) {
            return parameter;
        }
        known.push_back(parameter.name.text);
    }
    if (problems.is_lost(name.text)) {
        throw FollowUpError(name.place, "a refused parameter", "mend it");
    }
    throw InputError(name.place,
                     fmt::format("`{}` is no parameter", quoted(name.text)),
                     suggestion(name.text, known, "the scenario has none"));
}

// A default may say that a parameter is a boolean: what is wrong with the defaults comes first.
void take_all(const Scenario& scenario,
              const Parameter& parameter,
              const Problems& problems,
              SweepAxis& axis) {
    const PlacedText& name = axis.parameters.front();
    if (problems.all().empty()) {
        resolve_parameters(scenario);
    }
    const auto choices = choices_of(scenario, parameter);
    if (!choices && !problems.all().empty()) {
        throw FollowUpError(name.place, "a default that is refused", "mend it");
    }
    if (!choices) {
        throw InputError(name.place,
                         fmt::format("`{}` may be anything", name.text),
                         fmt::format("list the values: `{}: [1, 2]`", name.text));
    }
    for (const std::string& choice : *choices) {
        axis.turns.push_back({{name.text, choice, name.place}});
    }
}

// Of one parameter; turns of several may well repeat the value of one.
void require_no_repetition(const SweepAxis& axis) {
    std::set<std::string> seen;
    for (const SweepPoint& turn : axis.turns) {
        if (turn.empty()) {
            continue;
        }
        const Override& only = turn.front();
        if (!seen.insert(only.value).second) {
            throw InputError(only.place,
                             fmt::format("`{}` takes `{}` twice", only.name, quoted(only.value)),
                             "list each value once");
        }
    }
}

void check_parameter(const Scenario& scenario,
                     const PlacedText& name,
                     const Problems& problems,
                     SweepAxis& axis,
                     std::set<std::string>& swept) {
    const Parameter& parameter = parameter_of(scenario, name, problems);
    if (!swept.insert(name.text).second) {
        throw InputError(name.place,
                         fmt::format("`{}` is swept over twice", name.text),
                         "list all its values in one place");
    }
    if (axis.takes_all) {
        take_all(scenario, parameter, problems, axis);
    }
}

}  // namespace

void check_sweep(Scenario& scenario, Problems& problems) {
    std::set<std::string> swept;
    for (SweepAxis& axis : scenario.sweep) {
        for (const PlacedText& name : axis.parameters) {
            problems.attempt([&] { check_parameter(scenario, name, problems, axis, swept); });
        }
        if (axis.parameters.size() == 1) {
            problems.attempt([&] { require_no_repetition(axis); });
        }
    }
}

void check_sweep_values(const Scenario& scenario,
                        std::span<const SweepPoint> points,
                        Problems& problems) {
    for (const SweepPoint& point : points) {
        problems.attempt([&] { resolve_parameters(scenario, point); });
    }
}

}  // namespace highwater
