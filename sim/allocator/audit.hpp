#pragma once

#include <string>
#include <vector>

#include "sim/allocator/state.hpp"

namespace highwater::allocator {

/// Recomputes the state's totals, neighbours, sets and order the slow, obvious way, and says in a
/// sentence each what does not hold. Empty if all is well. For tests: linear in the blocks.
std::vector<std::string> audit(const State& s);

}  // namespace highwater::allocator
