#pragma once

#include <vector>

#include "sim/snapshot/replay.hpp"

namespace highwater {

/// Private pools that may be `torch.cuda.MemPool(no_split=True)` (PyTorch 2.10 or 2.11 on), which
/// no file says of them: no block of theirs ever shared its memory with another one, and some
/// request left so much of its block that another pool would have split it. A program that never
/// needed the rest while it lived looks the same either way.
std::vector<PoolId> maybe_no_split(const Snapshot& snapshot, const RecordedHistory& recorded);

/// The same history with these pools never splitting: what lived in them at the start has its whole
/// segment.
RecordedHistory with_no_split(RecordedHistory recorded, std::vector<PoolId> pools);

}  // namespace highwater
