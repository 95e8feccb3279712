#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "sim/plan/fit/target.hpp"

namespace highwater::plan {

/// Runs a scenario with settings, and says what it comes to.
class TargetRuns {
  public:
    /// Throws `InputError` if the scenario has no such measure.
    TargetRuns(const SettableScenario& scenario, const Target& target);

    bool reaches(const std::vector<Setting>& settings);
    /// None where the run does not reach its end.
    std::optional<double> value(const std::vector<Setting>& settings);
    /// Whether one value is nearer to the target, or beyond it by more.
    bool is_better(std::optional<double> one, std::optional<double> other) const;
    std::size_t runs() const { return runs_; }
    bool is_of_tokens() const { return is_of_tokens_; }

  private:
    bool reaches_anew(const std::vector<Setting>& settings);
    bool is_enough(double value) const;
    std::optional<double> measured(const std::vector<Setting>& settings);
    std::optional<double> largest_cache(const std::vector<Setting>& settings);

    const SettableScenario& scenario_;
    Target target_;
    bool is_of_tokens_ = false;
    std::size_t runs_ = 0;
    std::map<std::vector<std::int64_t>, bool> known_;
};

}  // namespace highwater::plan
