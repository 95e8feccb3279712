#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/plan/budget/budget.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/plan/fit/setting.hpp"
#include "sim/plan/peaks.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"

namespace highwater::plan {

/// The most of a parameter with which the scenario runs to its end.
struct LargestParameter {
    std::string name;
    /// None if not even the least fits.
    std::optional<std::int64_t> value;
    std::int64_t least = 0;
    /// Not asked beyond it.
    std::int64_t most = 0;
    std::size_t runs = 0;
    friend bool operator==(const LargestParameter&, const LargestParameter&) = default;
};

/// What is asked of a plan beside whether it fits.
struct PlanQuestions {
    std::optional<ParameterRange> largest;
    bool kv_cache = true;
};

/// Whether a scenario fits on its card, and who has it when.
struct Plan {
    Bytes capacity;
    PlannedRun run;
    /// At its worst moment: the first with the most in use.
    PhasePeak worst;
    Budget budget;
    /// What PyTorch could still have reserved then, or less where the process is limited.
    Bytes left;
    /// What the process may reserve.
    Bytes allowed;
    /// None without a KV cache, or if it does not fit even with one block.
    std::optional<KvFit> kv;
    /// The tokens that the scenario itself asks for; none without a KV cache.
    std::optional<std::int64_t> kv_tokens;
    std::optional<LargestParameter> largest;

    bool fits() const { return has_room(run.ledger); }
};

/// On a card of that capacity. What depends on the device's memory in expressions follows.
Scenario on_card(Scenario scenario, Bytes capacity);

/// Throws `InputError` for overrides and ranges that cannot be.
Plan make_plan(const Scenario& scenario,
               std::span<const Override> overrides,
               const PlanQuestions& questions = {});

}  // namespace highwater::plan
