#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/description/walk_steps.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::plan {

/// Every list of steps, those inside of steps too, the outer ones last.
void for_each_list(Scenario& scenario, const std::function<void(StepList&)>& visit);

/// The steps of a kind. What points to them does no longer when lists change.
template <typename Kind>
std::vector<Kind*> steps_of_kind(Scenario& scenario) {
    std::vector<Kind*> found;
    for_each_list(scenario, [&](StepList& steps) {
        for (Step& step : steps) {
            if (auto* kind = std::get_if<Kind>(&step.kind)) {
                found.push_back(kind);
            }
        }
    });
    return found;
}

/// A phase that captures buckets, as it is written.
struct CapturingPhase {
    SourcePlace place;
    step::CaptureOptions* options = nullptr;
    /// None of a phase that serves.
    BucketChoice* buckets = nullptr;
};
std::vector<CapturingPhase> capturing_phases(Scenario& scenario);
/// Those that run with these values.
std::vector<CapturingPhase> capturing_phases(Scenario& scenario,
                                             const std::vector<PhaseSpan>& phases_run);

/// The lists that the phases run over, none twice.
std::vector<BucketSpec*> captured_buckets(Scenario& scenario,
                                          const std::vector<CapturingPhase>& phases);

/// None where it hangs on what is known only within steps.
std::optional<std::vector<std::int64_t>> buckets_of(const Scenario& scenario,
                                                    const ParameterValues& values,
                                                    const BucketSpec& spec);

/// What a word is: itself, or what the parameter of that name says.
std::string word_of(const PlacedText& text, const ParameterValues& values);

/// How to make a word another one: "--set order=asc" where a parameter says it.
std::string change_of(const Scenario& scenario,
                      const PlacedText& word,
                      std::string_view key,
                      const std::string& to);

/// "serve.yaml:31: `pool: shared`".
std::string change_at(const SourcePlace& place, const std::string& yaml);

/// A word that stands in no file.
PlacedText made_up(std::string text);
Formula made_up_formula(const std::string& text);

}  // namespace highwater::plan
