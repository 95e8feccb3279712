#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/time.hpp"
#include "sim/plan/advice/trial.hpp"

namespace highwater::plan {

/// A remedy that was run, or several together.
struct Tried {
    std::string text;
    /// What to write, and where.
    std::string change;
    Bytes peak;
    /// At the worst moment, with the same KV cache; below 0 where it takes more.
    std::int64_t saved = 0;
    /// By how many tokens the largest KV cache grows; none without one, or if there is none
    /// without the remedy.
    std::optional<std::int64_t> kv_tokens;
    /// What it takes longer, with the same KV cache: all of the run but capturing, and capturing.
    /// None without a cost profile.
    std::optional<Duration> time;
    std::optional<Duration> capturing;
    /// By how many places of each kind there are more.
    HazardCounts hazards{};
    /// Whether the scenario runs to its end with it.
    bool fits = true;

    bool is_hazardous() const;
    friend bool operator==(const Tried&, const Tried&) = default;
};

/// What would save memory of a scenario: each a what-if that was run.
struct PlanAdvice {
    /// In use at the worst moment, as the scenario stands.
    Bytes peak;
    /// Whether it fits as it stands. If not, all is measured on a larger card.
    bool fits = true;
    /// Of the KV cache in all runs that are compared, and the largest that fits as it stands.
    std::optional<std::int64_t> compared_tokens;
    std::optional<std::int64_t> kv_tokens;
    /// Most saved first, then what rests on an assumption, then what is of use only together with
    /// others.
    std::vector<Tried> each;
    /// Some of them at once, if that saves more than the first.
    std::optional<Tried> together;
    /// Which: indices into `each`.
    std::vector<std::size_t> parts;
    /// They save memory, and are wrong: the run with them has hazards that it had not.
    std::vector<Tried> hazardous;
    std::vector<LeftOut> left_out;
    /// How many runs it took.
    std::size_t runs = 0;
};

/// Throws `InputError` for a scenario or overrides that cannot be.
PlanAdvice plan_advice(const Scenario& scenario, std::span<const Override> overrides);

}  // namespace highwater::plan
