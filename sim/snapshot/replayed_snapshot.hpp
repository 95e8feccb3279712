#pragma once

#include "sim/snapshot/what_if.hpp"

namespace highwater {

/// The snapshot that PyTorch would have written of a history under `changes`, with the file's
/// times, call stacks and marks. Events before the first that was replayed are not there, and so
/// are marks. Throws what `what_if` throws.
Snapshot replayed_snapshot(const Snapshot& snapshot, const Replay& replay, const Changes& changes);

}  // namespace highwater
