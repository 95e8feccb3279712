#include "sim/plan/fit/target_runs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/plan/peaks.hpp"
#include "sim/scenario/result/measures.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::plan {
namespace {

constexpr const char* kTargetOption = "--target";

bool has_measure(const Scenario& scenario, const std::string& name) {
    return std::ranges::any_of(scenario.measures,
                               [&](const auto& each) { return each.name.text == name; });
}

void check_measure(const Scenario& scenario, const std::string& name) {
    if (has_measure(scenario, name) || name == Target::kKvTokens) {
        return;
    }
    std::vector<std::string> known{Target::kKvTokens};
    for (const MeasureFormula& each : scenario.measures) {
        known.push_back(each.name.text);
    }
    throw InputError({kTargetOption},
                     fmt::format("the scenario has no measure `{}`", quoted(name)),
                     suggestion(name, known, "name one of its measures"));
}

void check_cache(const Lowered& lowered) {
    if (lowered.kv_caches.empty() || lowered.kv_caches.front().per_token == Bytes{}) {
        throw InputError({kTargetOption},
                         "the scenario has no KV cache, and no tokens in one",
                         "add a phase `kv_cache`, or name a measure");
    }
}

}  // namespace

TargetRuns::TargetRuns(const SettableScenario& scenario, const Target& target)
    : scenario_(scenario), target_(target) {
    check_measure(scenario.scenario(), target.measure);
    is_of_tokens_ = !has_measure(scenario.scenario(), target.measure);
    if (is_of_tokens_) {
        check_cache(scenario.lowered_with({}));
    }
}

bool TargetRuns::is_enough(double value) const {
    return target_.at_most ? value <= target_.value : value >= target_.value;
}

bool TargetRuns::is_better(std::optional<double> one, std::optional<double> other) const {
    if (!one || !other) {
        return one.has_value() && !other;
    }
    return target_.at_most ? *one < *other : *one > *other;
}

bool TargetRuns::reaches(const std::vector<Setting>& settings) {
    std::vector<std::int64_t> key;
    std::ranges::transform(settings, std::back_inserter(key), &Setting::value);
    const auto [answer, is_new] = known_.try_emplace(key, false);
    if (is_new) {
        answer->second = reaches_anew(settings);
    }
    return answer->second;
}

// That so many tokens fit is one run; how many do at most would be several.
bool TargetRuns::reaches_anew(const std::vector<Setting>& settings) {
    if (!is_of_tokens_ || target_.at_most) {
        const std::optional<double> value = this->value(settings);
        return value && is_enough(*value);
    }
    ++runs_;
    const Lowered lowered = with_kv_cache(scenario_.lowered_with(settings),
                                          static_cast<std::int64_t>(std::ceil(target_.value)));
    return has_room(run_phases(lowered, scenario_.costs()).ledger);
}

std::optional<double> TargetRuns::value(const std::vector<Setting>& settings) {
    return is_of_tokens_ ? largest_cache(settings) : measured(settings);
}

std::optional<double> TargetRuns::largest_cache(const std::vector<Setting>& settings) {
    const auto fit = largest_kv_cache(scenario_.lowered_with(settings), scenario_.costs());
    runs_ += fit ? fit->runs : 1;
    return fit ? std::optional(static_cast<double>(fit->tokens)) : std::nullopt;
}

std::optional<double> TargetRuns::measured(const std::vector<Setting>& settings) {
    ++runs_;
    const Lowered lowered = scenario_.lowered_with(settings);
    const PlannedRun run = run_phases(lowered, scenario_.costs());
    if (run.ledger.failure) {
        return std::nullopt;
    }
    const std::vector<Measure> measures = evaluate_measures(scenario_.scenario(),
                                                            scenario_.values_with(settings),
                                                            lowered.program,
                                                            run.ledger,
                                                            lowered.served);
    const auto found = std::ranges::find(measures, target_.measure, &Measure::name);
    return found != measures.end() && found->value && is_number(*found->value)
               ? std::optional(as_real(*found->value))
               : std::nullopt;
}

}  // namespace highwater::plan
