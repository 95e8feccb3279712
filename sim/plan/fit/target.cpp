#include "sim/plan/fit/target.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/plan/fit/largest.hpp"
#include "sim/plan/fit/target_runs.hpp"
#include "sim/plan/peaks.hpp"

namespace highwater::plan {
namespace {

SourcePlace cache_place(const Lowered& lowered) {
    const auto phase =
        std::ranges::find(lowered.phases, PhaseSpan::Kind::kKvCache, &PhaseSpan::kind);
    return phase == lowered.phases.end() ? SourcePlace{} : phase->place;
}

class TargetSearch {
  public:
    TargetSearch(const SettableScenario& scenario,
                 const Target& target,
                 std::span<const ParameterRange> varied)
        : varied_(varied.begin(), varied.end()), runs_(scenario, target) {
        answer_.target = target;
        for (const ParameterRange& each : varied_) {
            own_.push_back({each.name, own_number(scenario, each)});
        }
    }

    TargetAnswer search(const SettableScenario& scenario) {
        answer_.own = {{}, runs_.value({})};
        answer_.is_reached_already = runs_.reaches({});
        if (!answer_.is_reached_already) {
            vary_each();
            if (answer_.found.empty() && varied_.size() > 1) {
                vary_together();
            }
            if (answer_.found.empty()) {
                explain(scenario);
            }
        }
        answer_.runs = runs_.runs();
        return std::move(answer_);
    }

  private:
    static std::int64_t own_number(const SettableScenario& scenario, const ParameterRange& varied) {
        const std::optional<std::int64_t> own = scenario.own_value(varied.name);
        // Names that are unknown are told here.
        static_cast<void>(
            scenario.values_with(std::vector<Setting>{{varied.name, own.value_or(varied.least)}}));
        return std::clamp(own.value_or(varied.least), varied.least, varied.most);
    }

    // The number of one of them nearest to `from` that reaches the target, beside `others`.
    std::optional<std::int64_t> nearest_reaching(std::vector<Setting> others, std::size_t which) {
        const Fits reaches = [&](std::int64_t number) {
            others[which].value = number;
            return runs_.reaches(others);
        };
        const ParameterRange& varied = varied_[which];
        const std::int64_t from = own_[which].value;
        if (reaches(from)) {
            return from;
        }
        std::optional<std::int64_t> best;
        const auto consider = [&](std::optional<std::int64_t> number) {
            if (number && (!best || std::abs(*number - from) < std::abs(*best - from))) {
                best = number;
            }
        };
        if (reaches(varied.most)) {
            consider(smallest({from, varied.most}, reaches));
        }
        if (reaches(varied.least)) {
            consider(largest({varied.least, from}, reaches));
        }
        return best ? best : on_grid(varied, from, reaches);
    }

    static std::optional<std::int64_t> on_grid(const ParameterRange& varied,
                                               std::int64_t from,
                                               const Fits& reaches) {
        std::vector<std::int64_t> points;
        const std::int64_t steps = std::min(kGrid, varied.most - varied.least);
        for (std::int64_t i = 0; i <= steps && steps > 0; ++i) {
            points.push_back(varied.least + (varied.most - varied.least) / steps * i);
        }
        std::ranges::stable_sort(
            points, {}, [&](std::int64_t point) { return std::abs(point - from); });
        const auto found = std::ranges::find_if(points, reaches);
        return found == points.end() ? std::nullopt : std::optional(*found);
    }

    void take(std::vector<Setting> settings) {
        std::optional<double> value = runs_.value(settings);
        answer_.found.push_back({std::move(settings), value});
    }

    void vary_each() {
        for (std::size_t which = 0; which < varied_.size(); ++which) {
            if (const auto number = nearest_reaching(own_, which)) {
                take({{varied_[which].name, *number}});
            }
        }
    }

    // All to where they do best, then each back as far as it goes.
    void vary_together() {
        std::vector<Setting> settings = best_settings();
        if (!runs_.reaches(settings)) {
            return;
        }
        for (std::size_t which = 0; which < varied_.size(); ++which) {
            settings[which].value =
                nearest_reaching(settings, which).value_or(settings[which].value);
        }
        take(std::move(settings));
    }

    std::vector<Setting> best_settings() {
        std::vector<Setting> settings = own_;
        std::optional<double> best = runs_.value(settings);
        for (std::size_t which = 0; which < varied_.size(); ++which) {
            for (const std::int64_t end : {varied_[which].least, varied_[which].most}) {
                std::vector<Setting> with = settings;
                with[which].value = end;
                const std::optional<double> value = runs_.value(with);
                if (runs_.is_better(value, best)) {
                    best = value;
                    settings = with;
                }
            }
        }
        return settings;
    }

    void explain(const SettableScenario& scenario) {
        std::vector<Setting> settings = best_settings();
        answer_.nearest = TargetPoint{settings, runs_.value(settings)};
        if (!runs_.is_of_tokens()) {
            return;
        }
        answer_.cache = cache_place(scenario.lowered_with(settings));
        const auto tokens = static_cast<std::int64_t>(answer_.nearest->value.value_or(0));
        const Lowered lowered =
            with_kv_cache(scenario.lowered_with(settings), std::max<std::int64_t>(tokens, 1));
        const PlannedRun run = run_phases(lowered, scenario.costs());
        answer_.in_the_way = budget_behind(lowered, worst_of(run).op, scenario.costs());
        answer_.wanted = Bytes{static_cast<std::uint64_t>(std::ceil(answer_.target.value)) *
                               lowered.kv_caches.front().per_token.count};
    }

    std::vector<ParameterRange> varied_;
    /// The scenario's own numbers, within the ranges.
    std::vector<Setting> own_;
    TargetRuns runs_;
    TargetAnswer answer_;
};

void check_ranges(std::span<const ParameterRange> varied) {
    for (auto each = varied.begin(); each != varied.end(); ++each) {
        const bool comes_again =
            std::any_of(each + 1, varied.end(), [&](const ParameterRange& other) {
                return other.name == each->name;
            });
        if (comes_again) {
            throw InputError(
                {"--vary"}, fmt::format("`{}` twice", each->name), "give it one range");
        }
        if (each->least > each->most) {
            throw InputError({"--vary"},
                             fmt::format("{} is more than {}", each->least, each->most),
                             "name the least first");
        }
    }
}

}  // namespace

TargetAnswer reach_target(const SettableScenario& scenario,
                          const Target& target,
                          std::span<const ParameterRange> varied) {
    check_ranges(varied);
    return TargetSearch(scenario, target, varied).search(scenario);
}

}  // namespace highwater::plan
