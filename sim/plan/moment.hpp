#pragma once

#include <cstddef>
#include <vector>

#include "sim/driver/cost_profile.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// A run up to one moment.
struct Moment {
    Ledger ledger;
    /// Placements whose tensors are alive: indices into `Ledger::placements`.
    std::vector<std::size_t> live;
};

/// The Program up to operation `last`, and with it.
Moment moment_behind(const Program& program, std::size_t last, const CostProfile* costs);

}  // namespace highwater::plan
