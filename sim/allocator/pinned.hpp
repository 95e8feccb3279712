#pragma once

#include <vector>

#include "sim/allocator/state.hpp"

/// Which allocated blocks keep free memory from going back to the device.
namespace highwater::allocator {

/// A segment, or one contiguous mapped range of an expandable one, with allocated blocks beside
/// free ones.
struct PinnedSegment {
    Address address;
    Bytes size;
    PoolId pool;
    PoolKind kind{};
    StreamId stream{};
    bool is_expandable = false;
    Bytes allocated;
    /// What could be given back if nothing were allocated here: all that is free, but of an
    /// expandable segment only what lies in no whole free page (allocator specification 5.4, 9.3).
    /// Whether PyTorch then would is the pool's business: a private pool in use keeps it.
    Bytes held;
    /// The allocated blocks, by address.
    std::vector<BlockId> blocks;
};

/// Those that hold anything: most first, then by address.
std::vector<PinnedSegment> pinned_segments(const State& s);

}  // namespace highwater::allocator
