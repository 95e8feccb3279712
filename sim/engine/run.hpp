#pragma once

#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// Runs a Program on the simulated allocator. GPU work completes at once unless its stream is held.
/// Stops at the first operation that would fail in PyTorch and says so in `Ledger::failure`.
/// Throws `InputError` for a Program that is not well formed (a tensor freed twice, an unknown id).
Ledger run(const Program& program);

}  // namespace highwater
