#include "sim/cli/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/suggestion.hpp"
#include "sim/scenario/value.hpp"

namespace highwater {
namespace {

const SourcePlace kCommandLine{"--sweep"};

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

std::vector<std::string> choices_of(const Parameter& parameter) {
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

}  // namespace

SweptParameter parse_swept(const Scenario& scenario, const std::string& text) {
    const std::size_t equals = text.find('=');
    const Parameter& parameter = parameter_of(scenario, text.substr(0, equals));
    return {parameter.name.text,
            equals == std::string::npos ? choices_of(parameter)
                                        : split_at_commas(text.substr(equals + 1))};
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
