#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/engine/executor.hpp"
#include "sim/engine/ledger.hpp"

namespace highwater {

/// What each pool holds now and held at most: the default pools first, then private pools as they
/// were made, those that are gone included.
std::vector<PoolRow> pool_rows(const Executor& executor);

/// The same of an allocator's state. A pool without a name is called `default`.
std::vector<PoolRow> pool_rows(const allocator::State& state,
                               const std::map<PoolId, std::string>& names);

}  // namespace highwater
