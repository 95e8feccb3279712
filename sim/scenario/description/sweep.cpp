#include "sim/scenario/description/sweep.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater {
namespace {

// Of the default, if the file does not say the kind. None if the default does not hold by itself.
std::optional<Value> default_of(const Scenario& scenario, const Parameter& parameter) {
    try {
        return resolve_parameters(scenario).find(parameter.name.text);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

template <typename Alternative>
bool takes(const Scenario& scenario, const Parameter& parameter, Parameter::Kind kind) {
    if (parameter.kind) {
        return parameter.kind == kind;
    }
    const auto value = default_of(scenario, parameter);
    return value && std::holds_alternative<Alternative>(*value);
}

bool is_in(std::span<const Override> overrides, const std::string& name) {
    return std::any_of(overrides.begin(), overrides.end(), [&](const Override& each) {
        return each.name == name;
    });
}

std::string key_of(const SweepPoint& turn) {
    std::string key;
    for (const Override& each : turn) {
        key +=
            fmt::format("{}:{}={}:{},", each.name.size(), each.name, each.value.size(), each.value);
    }
    return key;
}

// Turns that differed in what is fixed only are one.
void drop_repetitions(SweepAxis& axis) {
    std::set<std::string> seen;
    std::vector<SweepPoint> turns;
    for (SweepPoint& turn : axis.turns) {
        if (seen.insert(key_of(turn)).second) {
            turns.push_back(std::move(turn));
        }
    }
    axis.turns = std::move(turns);
}

void drop_fixed(std::span<const Override> fixed, SweepAxis& axis) {
    const std::size_t dropped = std::erase_if(
        axis.parameters, [&](const PlacedText& each) { return is_in(fixed, each.text); });
    if (dropped == 0) {
        return;
    }
    for (SweepPoint& turn : axis.turns) {
        std::erase_if(turn, [&](const Override& each) { return is_in(fixed, each.name); });
    }
    drop_repetitions(axis);
}

}  // namespace

std::optional<std::vector<std::string>> choices_of(const Scenario& scenario,
                                                   const Parameter& parameter) {
    if (parameter.choices.empty()) {
        const bool is_boolean = takes<bool>(scenario, parameter, Parameter::Kind::kBoolean);
        return is_boolean ? std::optional(std::vector<std::string>{"false", "true"}) : std::nullopt;
    }
    std::vector<std::string> values;
    for (const Value& choice : parameter.choices) {
        values.push_back(to_text(choice));
    }
    return values;
}

bool takes_texts(const Scenario& scenario, const Parameter& parameter) {
    return takes<std::string>(scenario, parameter, Parameter::Kind::kText);
}

std::vector<SweepAxis> axes_without(std::span<const SweepAxis> axes,
                                    std::span<const Override> fixed) {
    std::vector<SweepAxis> left;
    for (SweepAxis axis : axes) {
        drop_fixed(fixed, axis);
        if (!axis.parameters.empty()) {
            left.push_back(std::move(axis));
        }
    }
    return left;
}

std::vector<SweepPoint> sweep_points(std::span<const SweepAxis> axes,
                                     std::span<const Override> fixed,
                                     const SourcePlace& place) {
    std::vector<SweepPoint> points{SweepPoint(fixed.begin(), fixed.end())};
    for (const SweepAxis& axis : axes) {
        if (points.size() * axis.turns.size() > kMaxPoints) {
            throw InputError(place,
                             fmt::format("there are more than {} points", kMaxPoints),
                             "sweep over fewer values");
        }
        std::vector<SweepPoint> longer;
        for (const SweepPoint& point : points) {
            for (const SweepPoint& turn : axis.turns) {
                longer.push_back(point);
                longer.back().insert(longer.back().end(), turn.begin(), turn.end());
            }
        }
        points = std::move(longer);
    }
    return points;
}

std::vector<std::string> swept_parameters(std::span<const SweepAxis> axes) {
    std::vector<std::string> names;
    for (const SweepAxis& axis : axes) {
        for (const PlacedText& parameter : axis.parameters) {
            names.push_back(parameter.text);
        }
    }
    return names;
}

}  // namespace highwater
