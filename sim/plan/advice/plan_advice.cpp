#include "sim/plan/advice/plan_advice.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/plan/advice/best_choice.hpp"

namespace highwater::plan {
namespace {

std::int64_t less(Bytes before, Bytes after) {
    return static_cast<std::int64_t>(before.count) - static_cast<std::int64_t>(after.count);
}

// A remedy that is right, and what came of it.
struct Candidate {
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
        std::ranges::stable_sort(tried_, {}, [](const Candidate& each) {
            return std::tuple(each.tried.saved <= 0, each.remedy.is_assumed, -each.tried.saved);
        });
        std::ranges::stable_sort(advice_.hazardous, std::greater<>(), &Tried::saved);
        const std::optional<BestChoice> best = best_together();
        tell_each(best ? best->chosen : Chosen{});
        advice_.runs = trials_.runs();
        return std::move(advice_);
    }

  private:
    void consider(PlanRemedy remedy) {
        const Trials::Outcome outcome = trials_.need_with({&remedy});
        if (!outcome.need) {
            advice_.left_out.push_back({remedy.text, "a run of it fails: " + outcome.why_not});
            return;
        }
        Tried tried = tried_with({&remedy}, *outcome.need);
        tried.text = remedy.text;
        tried.change = remedy.change;
        if (tried.saved > 0 && !still_fits({&remedy})) {
            advice_.left_out.push_back(
                {remedy.text, "with it the scenario's own KV cache leaves too little"});
        } else if (!tried.is_hazardous()) {
            tried_.push_back({std::move(remedy), std::move(tried)});
        } else if (tried.saved > 0) {
            complete(tried, {&remedy});
            advice_.hazardous.push_back(std::move(tried));
        } else {
            advice_.left_out.push_back({remedy.text, why_not(tried.saved) + ", and has hazards"});
        }
    }

    // Those that save memory, and those that are of use together.
    void tell_each(const Chosen& together) {
        for (std::size_t i = 0; i < tried_.size(); ++i) {
            Tried& tried = tried_[i].tried;
            const bool is_part = std::ranges::find(together, i) != together.end();
            if (tried.saved <= 0 && !is_part) {
                advice_.left_out.push_back({tried.text, why_not(tried.saved)});
                continue;
            }
            complete(tried, choice_of({i}));
            if (is_part) {
                advice_.parts.push_back(advice_.each.size());
            }
            advice_.each.push_back(std::move(tried));
        }
    }

    // With its own cache it may fail where it does not with the one that is compared.
    bool still_fits(const Trials::Choice& remedies) {
        return !trials_.fits() || !trials_.tokens() || trials_.fits_with(remedies);
    }

    static std::string why_not(std::int64_t saved) {
        return saved == 0 ? "it was run, and saves nothing"
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
        tried.hazards = more_hazards(remedies);
        return tried;
    }

    // What takes more runs, for what is told.
    void complete(Tried& tried, const Trials::Choice& remedies) {
        if (advice_.kv_tokens) {
            const std::optional<std::int64_t> tokens = trials_.kv_tokens_with(remedies);
            tried.kv_tokens = tokens.value_or(0) - *advice_.kv_tokens;
        }
        tried.fits = trials_.fits_with(remedies);
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
            choice.push_back(&tried_[each].remedy);
        }
        return choice;
    }

    std::optional<BestChoice> best_together() {
        std::vector<std::int64_t> alone;
        std::vector<std::string> about;
        for (const Candidate& each : tried_) {
            alone.push_back(each.tried.saved);
            about.push_back(each.remedy.about);
        }
        const Saving saving = [&](const Chosen& chosen) -> std::optional<std::int64_t> {
            const auto is_assumed = [&](std::size_t each) {
                return tried_[each].remedy.is_assumed;
            };
            if (std::ranges::any_of(chosen, is_assumed)) {
                return std::nullopt;
            }
            const Trials::Choice choice = choice_of(chosen);
            const Trials::Outcome outcome = trials_.need_with(choice);
            return outcome.need && still_fits(choice)
                       ? std::optional(less(trials_.need().peak, outcome.need->peak))
                       : std::nullopt;
        };
        const std::optional<BestChoice> best = best_choice(alone, about, saving);
        return best && take_together(*best) ? best : std::nullopt;
    }

    // If it is right: alone each of them is.
    bool take_together(const BestChoice& best) {
        const Trials::Choice choice = choice_of(best.chosen);
        Tried tried = tried_with(choice, *trials_.need_with(choice).need);
        for (const PlanRemedy* each : choice) {
            tried.text += (tried.text.empty() ? "" : "; ") + each->text;
            tried.change += (tried.change.empty() ? "" : "; ") + each->change;
        }
        complete(tried, choice);
        const bool is_right = !tried.is_hazardous();
        if (is_right) {
            advice_.together = std::move(tried);
        } else {
            advice_.hazardous.push_back(std::move(tried));
        }
        return is_right;
    }

    Trials trials_;
    HazardCounts hazards_;
    std::vector<Candidate> tried_;
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
