#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/time.hpp"
#include "sim/hazards/hazard.hpp"
#include "sim/plan/advice/remedy.hpp"
#include "sim/scenario/description/override.hpp"

namespace highwater::plan {

using HazardCounts = std::array<std::size_t, kHazardKindNames.size()>;

/// What a scenario takes, with a KV cache of so many tokens wherever it is compared.
struct Need {
    /// In use at the worst moment.
    Bytes peak;
    /// Until host and card are done, and what of it the host was busy capturing; none without a
    /// cost profile.
    std::optional<Duration> elapsed;
    std::optional<Duration> capturing;
};

/// Runs a scenario with remedies.
class Trials {
  public:
    /// All of it outlives the trials.
    Trials(const Scenario& scenario, std::span<const Override> overrides);
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    /// As the scenario stands.
    const RunScenario& base() const { return base_; }
    const Need& need() const { return need_; }
    bool fits() const { return fits_; }
    /// The tokens that all needs are compared with; none without a KV cache.
    std::optional<std::int64_t> tokens() const { return tokens_; }
    std::size_t runs() const { return runs_; }

    using Choice = std::vector<const PlanRemedy*>;

    /// What the scenario needs with them. If it does not fit as it stands, on a card that is large
    /// enough. Or why that cannot be told.
    struct Outcome {
        std::optional<Need> need;
        std::string why_not;
    };
    Outcome need_with(const Choice& remedies);

    // Of remedies that `need_with` has an answer for.

    /// Whether the scenario with its own KV cache runs to its end.
    bool fits_with(const Choice& remedies);
    HazardCounts hazards_with(const Choice& remedies);
    /// The largest KV cache; none without one, or if not one block fits.
    std::optional<std::int64_t> kv_tokens_with(const Choice& remedies);

  private:
    Lowered lowered_with(const Choice& remedies) const;
    /// As it is compared.
    Lowered compared_with(const Choice& remedies) const;
    Ledger run(const Lowered& lowered, Need& need);

    const Scenario& scenario_;
    ParameterValues values_;
    const CostProfile* costs_;
    Lowered lowered_;
    RunScenario base_;
    bool fits_ = true;
    std::optional<std::int64_t> tokens_;
    std::size_t runs_ = 0;
    Need need_;
};

}  // namespace highwater::plan
