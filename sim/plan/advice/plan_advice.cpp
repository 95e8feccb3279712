#include "sim/plan/advice/plan_advice.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/plan/advice/best_choice.hpp"

namespace highwater::plan {
namespace {

std::int64_t less(Bytes before, Bytes after) {
    return static_cast<std::int64_t>(before.count) - static_cast<std::int64_t>(after.count);
}

// One that saves memory, and how to do it.
struct Confirmed {
    PlanRemedy remedy;
    Tried tried;
};

class Advisor {
  public:
    Advisor(const Scenario& scenario, std::span<const Override> overrides)
        : trials_(scenario, overrides), hazards_(trials_.hazards_with({})) {
        advice_.peak = trials_.need().peak;
        advice_.fits = trials_.fits();
        advice_.compared_tokens = trials_.tokens();
        advice_.kv_tokens = trials_.tokens() ? trials_.kv_tokens_with({}) : std::nullopt;
    }

    PlanAdvice advise() {
        PlanRemedies remedies = remedies_for(trials_.base());
        advice_.left_out = std::move(remedies.left_out);
        for (PlanRemedy& remedy : remedies.possible) {
            consider(std::move(remedy));
        }
        std::ranges::stable_sort(
            confirmed_, std::greater<>(), [](const Confirmed& each) { return each.tried.saved; });
        std::ranges::stable_sort(advice_.hazardous, std::greater<>(), &Tried::saved);
        for (const Confirmed& each : confirmed_) {
            advice_.each.push_back(each.tried);
        }
        try_together();
        advice_.runs = trials_.runs();
        return std::move(advice_);
    }

  private:
    void consider(PlanRemedy remedy) {
        const Trials::Outcome outcome = trials_.need_with({&remedy});
        const std::string why = why_not(outcome);
        if (!why.empty()) {
            advice_.left_out.push_back({remedy.text, why});
            return;
        }
        Tried tried = tried_with({&remedy}, *outcome.need);
        tried.text = remedy.text;
        tried.change = remedy.change;
        if (tried.is_hazardous()) {
            advice_.hazardous.push_back(std::move(tried));
        } else {
            confirmed_.push_back({std::move(remedy), std::move(tried)});
        }
    }

    // A remedy of no use.
    std::string why_not(const Trials::Outcome& outcome) const {
        if (!outcome.need) {
            return "a run of it fails: " + outcome.why_not;
        }
        const std::int64_t saved = less(trials_.need().peak, outcome.need->peak);
        return saved > 0    ? ""
               : saved == 0 ? "it was run, and saves nothing"
                            : fmt::format("it was run, and takes {} bytes more", -saved);
    }

    Tried tried_with(const Trials::Choice& remedies, const Need& need) {
        Tried tried;
        const Need& before = trials_.need();
        tried.peak = need.peak;
        tried.saved = less(before.peak, need.peak);
        if (need.elapsed && before.elapsed) {
            tried.capturing = *need.capturing - *before.capturing;
            tried.time = *need.elapsed - *before.elapsed - *tried.capturing;
        }
        if (advice_.kv_tokens) {
            const std::optional<std::int64_t> tokens = trials_.kv_tokens_with(remedies);
            tried.kv_tokens = tokens.value_or(0) - *advice_.kv_tokens;
        }
        tried.hazards = more_hazards(remedies);
        tried.fits = trials_.fits_with(remedies);
        return tried;
    }

    HazardCounts more_hazards(const Trials::Choice& remedies) {
        HazardCounts counts = trials_.hazards_with(remedies);
        for (std::size_t kind = 0; kind < counts.size(); ++kind) {
            counts.at(kind) -= std::min(counts.at(kind), hazards_.at(kind));
        }
        return counts;
    }

    Trials::Choice choice_of(const Chosen& chosen) const {
        Trials::Choice choice;
        for (const std::size_t each : chosen) {
            choice.push_back(&confirmed_[each].remedy);
        }
        return choice;
    }

    void try_together() {
        std::vector<std::int64_t> alone;
        std::vector<std::string> about;
        for (const Confirmed& each : confirmed_) {
            alone.push_back(each.tried.saved);
            about.push_back(each.remedy.about);
        }
        const Saving saving = [&](const Chosen& chosen) -> std::optional<std::int64_t> {
            const Trials::Outcome outcome = trials_.need_with(choice_of(chosen));
            return outcome.need ? std::optional(less(trials_.need().peak, outcome.need->peak))
                                : std::nullopt;
        };
        if (const auto best = best_choice(alone, about, saving)) {
            take_together(*best);
        }
    }

    // If it is right: alone each of them is.
    void take_together(const BestChoice& best) {
        const Trials::Choice choice = choice_of(best.chosen);
        Tried tried = tried_with(choice, *trials_.need_with(choice).need);
        for (const PlanRemedy* each : choice) {
            tried.text += (tried.text.empty() ? "" : "; ") + each->text;
            tried.change += (tried.change.empty() ? "" : "; ") + each->change;
        }
        if (tried.is_hazardous()) {
            advice_.hazardous.push_back(std::move(tried));
            return;
        }
        advice_.together = std::move(tried);
        advice_.parts = best.chosen;
    }

    Trials trials_;
    HazardCounts hazards_;
    std::vector<Confirmed> confirmed_;
    PlanAdvice advice_;
};

}  // namespace

bool Tried::is_hazardous() const {
    return std::ranges::any_of(hazards, [](std::size_t count) { return count > 0; });
}

PlanAdvice plan_advice(const Scenario& scenario, std::span<const Override> overrides) {
    return Advisor(scenario, overrides).advise();
}

}  // namespace highwater::plan
