#pragma once

#include <vector>

#include "sim/capture/lifetimes.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// How long what was placed in one pool lived: from its allocation to its free, or to the end of
/// the run. Steps are operations; an id is an index into `Ledger::placements`. Sizes are those
/// asked for: no allocator needs less.
struct PoolLifetimes {
    std::vector<Lifetime> lifetimes;
};

/// One for each of `Ledger::pools`.
std::vector<PoolLifetimes> pool_lifetimes(const Program& program, const Ledger& ledger);

}  // namespace highwater
