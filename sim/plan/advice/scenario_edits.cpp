#include "sim/plan/advice/scenario_edits.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/lower/bucket_sets.hpp"

namespace highwater::plan {
namespace {

void visit_lists(StepList& steps, const std::function<void(StepList&)>& visit) {
    for (Step& step : steps) {
        for (StepList* body : bodies_of(step.kind)) {
            visit_lists(*body, visit);
        }
    }
    visit(steps);
}

BucketSpec* spec_of(Scenario& scenario, BucketChoice& choice) {
    if (!choice.set) {
        return &choice.own;
    }
    const auto set = std::ranges::find_if(scenario.buckets, [&](const BucketSet& each) {
        return each.name.text == choice.set->text;
    });
    return set == scenario.buckets.end() ? nullptr : &set->spec;
}

}  // namespace

void for_each_list(Scenario& scenario, const std::function<void(StepList&)>& visit) {
    for (Template& each : scenario.templates) {
        visit_lists(each.body, visit);
    }
    for (Procedure& each : scenario.procedures) {
        visit_lists(each.body, visit);
    }
    visit_lists(scenario.steps, visit);
}

std::vector<CapturingPhase> capturing_phases(Scenario& scenario) {
    std::vector<CapturingPhase> found;
    for_each_list(scenario, [&](StepList& steps) {
        for (Step& step : steps) {
            if (auto* capture = std::get_if<step::CaptureBuckets>(&step.kind)) {
                found.push_back({step.place, &capture->options, &capture->pass.buckets});
            } else if (auto* serve = std::get_if<step::Serve>(&step.kind);
                       serve != nullptr && serve->capture) {
                found.push_back({step.place, &serve->options, nullptr});
            }
        }
    });
    return found;
}

std::vector<CapturingPhase> capturing_phases(Scenario& scenario,
                                             const std::vector<PhaseSpan>& phases_run) {
    std::vector<CapturingPhase> phases = capturing_phases(scenario);
    std::erase_if(phases, [&](const CapturingPhase& phase) {
        return std::ranges::find(phases_run, phase.place, &PhaseSpan::place) == phases_run.end();
    });
    return phases;
}

std::vector<BucketSpec*> captured_buckets(Scenario& scenario,
                                          const std::vector<CapturingPhase>& phases) {
    std::vector<BucketSpec*> found;
    for (const CapturingPhase& phase : phases) {
        BucketSpec* spec = phase.buckets == nullptr ? nullptr : spec_of(scenario, *phase.buckets);
        if (spec != nullptr && std::ranges::find(found, spec) == found.end()) {
            found.push_back(spec);
        }
    }
    return found;
}

std::optional<std::vector<std::int64_t>> buckets_of(const Scenario& scenario,
                                                    const ParameterValues& values,
                                                    const BucketSpec& spec) {
    try {
        Scenario alone;
        alone.machine = scenario.machine;
        alone.buckets = scenario.buckets;
        alone.buckets.push_back({made_up("(these)"), spec});
        return bucket_sets_of(alone, values).at(made_up("(these)"));
    } catch (const InputError&) {
        return std::nullopt;
    }
}

std::string word_of(const PlacedText& text, const ParameterValues& values) {
    const std::optional<Value> given = values.find(text.text);
    return given ? to_text(*given) : text.text;
}

std::string change_of(const Scenario& scenario,
                      const PlacedText& word,
                      std::string_view key,
                      const std::string& to) {
    const auto says = [&](const Parameter& each) {
        return each.name.text == word.text &&
               (each.choices.empty() ||
                std::ranges::find(each.choices, Value(to)) != each.choices.end());
    };
    return std::ranges::any_of(scenario.parameters, says)
               ? fmt::format("--set {}={}", word.text, to)
               : change_at(word.place, fmt::format("{}: {}", key, to));
}

std::string change_at(const SourcePlace& place, const std::string& yaml) {
    return fmt::format("{}:{}: `{}`", place.file, place.line, yaml);
}

PlacedText made_up(std::string text) {
    return {std::move(text), {"--advise"}, false};
}

Formula made_up_formula(const std::string& text) {
    return parse_formula(made_up(text));
}

}  // namespace highwater::plan
