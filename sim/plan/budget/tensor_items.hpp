#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "sim/engine/ledger.hpp"
#include "sim/plan/budget/budget.hpp"

namespace highwater::plan {

/// What each tensor of the default pools is for.
class TensorItems {
  public:
    /// It outlives this.
    explicit TensorItems(const Lowered& lowered);

    BudgetItem item_of(const Placement& placement) const;

  private:
    bool is_within(const Placement& placement, PhaseSpan::Kind kind) const;

    const Lowered& lowered_;
    std::set<TensorId> workspaces_;
    /// Operations that allocated what nothing frees.
    std::set<std::size_t> kept_;
};

}  // namespace highwater::plan
