#include "sim/plan/fit/setting.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/lower/bucket_sets.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::plan {
namespace {

std::optional<std::int64_t> whole(const std::optional<Value>& value) {
    if (!value || !is_number(*value)) {
        return std::nullopt;
    }
    const double real = as_real(*value);
    return real == std::floor(real) ? std::optional(static_cast<std::int64_t>(real)) : std::nullopt;
}

}  // namespace

SettableScenario::SettableScenario(const Scenario& scenario,
                                   std::span<const Override> overrides,
                                   std::string option)
    : scenario_(scenario),
      overrides_(overrides.begin(), overrides.end()),
      option_(std::move(option)) {}

const CostProfile* SettableScenario::costs() const {
    return costs_of(scenario_);
}

bool SettableScenario::is_parameter(const std::string& name) const {
    return std::ranges::any_of(scenario_.parameters,
                               [&](const Parameter& each) { return each.name.text == name; });
}

std::optional<std::size_t> SettableScenario::bucket_set(const std::string& name) const {
    const auto set = std::ranges::find_if(
        scenario_.buckets, [&](const BucketSet& each) { return each.name.text == name; });
    return set == scenario_.buckets.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(set - scenario_.buckets.begin()));
}

ParameterValues SettableScenario::values_with(std::span<const Setting> settings) const {
    std::vector<Override> with = overrides_;
    for (const Setting& each : settings) {
        if (is_parameter(each.name)) {
            with.push_back({each.name, std::to_string(each.value), {option_}});
        } else if (!bucket_set(each.name)) {
            std::vector<std::string> known;
            for (const Parameter& parameter : scenario_.parameters) {
                known.push_back(parameter.name.text);
            }
            for (const BucketSet& set : scenario_.buckets) {
                known.push_back(set.name.text);
            }
            throw InputError(
                {option_},
                fmt::format("`{}` is neither a parameter nor a set of buckets", quoted(each.name)),
                suggestion(each.name, known, "the scenario has neither"));
        }
    }
    return resolve_parameters(scenario_, with);
}

Scenario SettableScenario::limited(std::span<const Setting> settings) const {
    Scenario scenario = scenario_;
    for (const Setting& each : settings) {
        if (!is_parameter(each.name)) {
            scenario.buckets[*bucket_set(each.name)].spec.max =
                parse_formula({std::to_string(each.value), {option_}, false});
        }
    }
    return scenario;
}

Lowered SettableScenario::lowered_with(std::span<const Setting> settings) const {
    const ParameterValues values = values_with(settings);
    const bool is_as_written =
        std::ranges::all_of(settings, [&](const Setting& each) { return is_parameter(each.name); });
    return is_as_written ? lower(scenario_, values) : lower(limited(settings), values);
}

std::int64_t SettableScenario::reachable(const std::string& name, std::int64_t number) const {
    const std::vector<Setting> with{{name, number}};
    const ParameterValues values = values_with(with);
    return is_parameter(name)
               ? number
               : whole(bucket_sets_of(limited(with), values).find_figure(name, "max"))
                     .value_or(number);
}

std::optional<std::int64_t> SettableScenario::own_value(const std::string& name) const {
    const ParameterValues values = resolve_parameters(scenario_, overrides_);
    return is_parameter(name) ? whole(values.find(name))
                              : whole(bucket_sets_of(scenario_, values).find_figure(name, "max"));
}

}  // namespace highwater::plan
