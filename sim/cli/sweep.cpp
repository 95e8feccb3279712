#include "sim/cli/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/suggestion.hpp"
#include "sim/scenario/value.hpp"

namespace highwater {
namespace {

const SourcePlace kCommandLine{"--sweep"};
// Where `resolve_parameters` places everything that it refuses of an override.
constexpr std::string_view kSet = "--set";

// All reports are kept until the last point is done.
constexpr std::size_t kMaxPoints = 100'000;

const Parameter& parameter_of(const Scenario& scenario, const std::string& name) {
    std::vector<std::string> known;
    for (const Parameter& parameter : scenario.parameters) {
        if (parameter.name.text == name) {
            return parameter;
        }
        known.push_back(parameter.name.text);
    }
    throw InputError(
        kCommandLine,
        fmt::format("`{}` is no parameter of {}", highwater::quoted(name), scenario.file),
        suggestion(name, known, "the scenario has none"));
}

std::vector<std::string> split_at_commas(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ',') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

// Of the default, if the file does not say the kind. None if the default does not hold by itself.
std::optional<Value> default_of(const Scenario& scenario, const Parameter& parameter) {
    try {
        return resolve_parameters(scenario).find(parameter.name.text);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

bool is_boolean(const Scenario& scenario, const Parameter& parameter) {
    if (parameter.kind) {
        return parameter.kind == Parameter::Kind::kBoolean;
    }
    const auto value = default_of(scenario, parameter);
    return value && std::holds_alternative<bool>(*value);
}

bool is_text(const Scenario& scenario, const Parameter& parameter) {
    if (parameter.kind) {
        return parameter.kind == Parameter::Kind::kText;
    }
    const auto value = default_of(scenario, parameter);
    return value && std::holds_alternative<std::string>(*value);
}

void require_no_gap(const Scenario& scenario,
                    const Parameter& parameter,
                    const std::vector<std::string>& values) {
    // A text may be empty.
    const bool has_gap = std::find(values.begin(), values.end(), "") != values.end();
    if (has_gap && !is_text(scenario, parameter)) {
        throw InputError(kCommandLine,
                         fmt::format("`{}` lacks a value", parameter.name.text),
                         fmt::format("list the values: `--sweep {}=1,2`", parameter.name.text));
    }
}

void require_no_repetition(const Parameter& parameter, const std::vector<std::string>& values) {
    std::set<std::string_view> seen;
    for (const std::string& value : values) {
        if (!seen.insert(value).second) {
            throw InputError(
                kCommandLine,
                fmt::format("`{}` takes `{}` twice", parameter.name.text, highwater::quoted(value)),
                "list each value once");
        }
    }
}

std::vector<std::string> choices_of(const Scenario& scenario, const Parameter& parameter) {
    if (parameter.choices.empty() && is_boolean(scenario, parameter)) {
        return {"false", "true"};
    }
    if (parameter.choices.empty()) {
        throw InputError(kCommandLine,
                         fmt::format("`{}` may be anything", parameter.name.text),
                         fmt::format("list the values: `--sweep {}=1,2`", parameter.name.text));
    }
    std::vector<std::string> values;
    for (const Value& choice : parameter.choices) {
        values.push_back(to_text(choice));
    }
    return values;
}

std::optional<InputError> refusal(const Scenario& scenario,
                                  const std::vector<Override>& overrides) {
    try {
        resolve_parameters(scenario, overrides);
    } catch (const InputError& error) {
        return error;
    }
    return std::nullopt;
}

}  // namespace

SweptParameter parse_swept(const Scenario& scenario, const std::string& text) {
    const std::size_t equals = text.find('=');
    const Parameter& parameter = parameter_of(scenario, text.substr(0, equals));
    if (equals == std::string::npos) {
        return {parameter.name.text, choices_of(scenario, parameter)};
    }
    std::vector<std::string> values = split_at_commas(text.substr(equals + 1));
    require_no_gap(scenario, parameter, values);
    require_no_repetition(parameter, values);
    return {parameter.name.text, std::move(values)};
}

void require_set_once(const std::vector<SweptParameter>& swept,
                      const std::vector<Override>& fixed) {
    std::set<std::string_view> seen;
    for (const SweptParameter& parameter : swept) {
        if (!seen.insert(parameter.name).second) {
            throw InputError(kCommandLine,
                             fmt::format("`{}` is swept over twice", parameter.name),
                             "list all its values in one `--sweep`");
        }
    }
    for (const Override& each : fixed) {
        if (seen.contains(each.name)) {
            throw InputError(kCommandLine,
                             fmt::format("`{}` is also given to `--set`", each.name),
                             "leave out one of the two");
        }
    }
}

void require_values(const Scenario& scenario,
                    const std::vector<Override>& point,
                    const std::vector<Override>& fixed) {
    const auto error = refusal(scenario, point);
    if (!error) {
        return;
    }
    const auto without_swept = refusal(scenario, fixed);
    const bool is_fixed_to_blame =
        without_swept && std::string_view(without_swept->what()) == error->what();
    if (error->place().file != kSet || is_fixed_to_blame) {
        throw InputError(*error);
    }
    throw InputError(kCommandLine, error->problem(), error->remedy());
}

std::vector<std::vector<Override>> points_of(const std::vector<SweptParameter>& swept,
                                             const std::vector<Override>& fixed) {
    std::vector<std::vector<Override>> points{fixed};
    for (const SweptParameter& parameter : swept) {
        if (points.size() * parameter.values.size() > kMaxPoints) {
            throw InputError(kCommandLine,
                             fmt::format("there are more than {} points", kMaxPoints),
                             "sweep over fewer values");
        }
        std::vector<std::vector<Override>> longer;
        for (const std::vector<Override>& point : points) {
            for (const std::string& value : parameter.values) {
                longer.push_back(point);
                longer.back().push_back({parameter.name, value});
            }
        }
        points = std::move(longer);
    }
    return points;
}

}  // namespace highwater
