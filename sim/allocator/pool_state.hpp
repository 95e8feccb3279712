#pragma once

#include <map>
#include <vector>

#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/state.hpp"

namespace highwater {

/// What a private pool held at a moment, as cudagraph trees note it after each recording: its
/// segments with their blocks, by address (around-allocator specification 5).
struct PoolState {
    PoolId pool;
    std::vector<SegmentInfo> segments;
};

namespace allocator {

/// Throws `PredictedError` if a block of the pool waits for events.
PoolState save_pool(const State& s, PoolId pool);

/// Sets a pool back: all its blocks are freed, then each segment is laid out as it was, whatever
/// the split limits say, and what was free is freed again. Segments that came since stay, free. All
/// of it counts, and goes into the trace; blocks have their whole size as the requested one.
/// Gives the blocks that are allocated now, by address. Throws `PredictedError` where PyTorch
/// asserts: a segment is gone, or a block of it waits for events.
std::map<Address, BlockId> restore_pool(State& s, const PoolState& saved);

}  // namespace allocator
}  // namespace highwater
