#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/plan/budget/budget.hpp"
#include "sim/plan/fit/setting.hpp"

namespace highwater::plan {

/// What a run is to reach.
struct Target {
    /// The tokens of the largest KV cache.
    static constexpr const char* kKvTokens = "kv_tokens";

    /// A measure of the scenario, or `kKvTokens` unless the scenario has one of that name.
    std::string measure;
    double value = 0;
    /// Else at least.
    bool at_most = false;
};

/// Numbers with which the target was reached, or missed, in a run.
struct TargetPoint {
    std::vector<Setting> settings;
    /// None where the run does not reach its end.
    std::optional<double> value;
    friend bool operator==(const TargetPoint&, const TargetPoint&) = default;
};

struct TargetAnswer {
    Target target;
    /// Nothing varied.
    TargetPoint own;
    bool is_reached_already = false;
    /// Each varies one number alone; else, if none is enough, one that varies several. The numbers
    /// are as near to the scenario's own as the search came. Run again for the value.
    std::vector<TargetPoint> found;
    /// If nothing reaches it: what came nearest.
    std::optional<TargetPoint> nearest;
    /// Who has the card there, if the target is tokens and memory is what they want for.
    std::optional<Budget> in_the_way;
    /// What the tokens would take, and where their cache is written.
    std::optional<Bytes> wanted;
    SourcePlace cache;
    std::size_t runs = 0;
};

/// Where an end of a range reaches the target by bisection between it and the scenario's own
/// number, else over a grid: at most about `kGrid` runs for each number. Throws `InputError` for a
/// measure, a number or a range that cannot be.
TargetAnswer reach_target(const SettableScenario& scenario,
                          const Target& target,
                          std::span<const ParameterRange> varied);

inline constexpr std::int64_t kGrid = 16;

}  // namespace highwater::plan
