#pragma once

#include "sim/allocator/cached_blocks.hpp"

/// Allocator specification 4.5 to 4.7: splitting, counting and handing out a block.
namespace highwater::allocator {

/// The block is in no pool and serves the request; what is left of it may go back as a block of
/// its own.
void hand_out(State& s, BlockId id, const Request& request);

/// The same for a block of exactly `size`, whatever the split limits say, as a pool that is set
/// back needs it.
void hand_out_exactly(State& s, BlockId id, Bytes size);

/// Counts a block as handed out.
void count_allocation(State& s, PoolKind kind, const Block& block);

/// True if counters of oversize blocks and segments include this size.
inline bool is_oversize(const State& s, Bytes size) {
    return s.settings.max_split_size && size >= *s.settings.max_split_size;
}

}  // namespace highwater::allocator
