#include "sim/cli/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

const SourcePlace kCommandLine{"--sweep"};

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

void require_no_gap(const Scenario& scenario,
                    const Parameter& parameter,
                    const std::vector<std::string>& values) {
    // A text may be empty.
    const bool has_gap = std::find(values.begin(), values.end(), "") != values.end();
    if (has_gap && !takes_texts(scenario, parameter)) {
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

std::vector<std::string> all_choices(const Scenario& scenario, const Parameter& parameter) {
    if (auto choices = choices_of(scenario, parameter)) {
        return *std::move(choices);
    }
    throw InputError(kCommandLine,
                     fmt::format("`{}` may be anything", parameter.name.text),
                     fmt::format("list the values: `--sweep {}=1,2`", parameter.name.text));
}

}  // namespace

SweptParameter parse_swept(const Scenario& scenario, const std::string& text) {
    const std::size_t equals = text.find('=');
    const Parameter& parameter = parameter_of(scenario, text.substr(0, equals));
    if (equals == std::string::npos) {
        return {parameter.name.text, all_choices(scenario, parameter)};
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

std::vector<SweepAxis> axes_of(const std::vector<SweptParameter>& swept) {
    std::vector<SweepAxis> axes;
    for (const SweptParameter& parameter : swept) {
        SweepAxis axis;
        axis.parameters.push_back({parameter.name, kCommandLine, false});
        for (const std::string& value : parameter.values) {
            axis.turns.push_back({{parameter.name, value, kCommandLine}});
        }
        axes.push_back(std::move(axis));
    }
    return axes;
}

std::vector<SweepAxis> asked_axes(const std::vector<std::string>& texts,
                                  const Scenario& scenario,
                                  const std::vector<Override>& fixed) {
    if (texts.empty()) {
        return axes_without(scenario.sweep, fixed);
    }
    std::vector<SweptParameter> swept;
    for (const std::string& each : texts) {
        swept.push_back(parse_swept(scenario, each));
    }
    require_set_once(swept, fixed);
    return axes_of(swept);
}

std::vector<SweepPoint> points_of(const std::vector<SweptParameter>& swept,
                                  const std::vector<Override>& fixed) {
    return sweep_points(axes_of(swept), fixed, kCommandLine);
}

}  // namespace highwater
