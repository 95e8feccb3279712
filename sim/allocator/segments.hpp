#pragma once

#include "sim/allocator/cached_blocks.hpp"

/// Allocator specification 5.1: memory from the device.
namespace highwater::allocator {

/// A block of memory fresh from the device, in no pool: a segment of its own or, with expandable
/// segments, a grown one. `kNoBlock` if the limit or the device does not allow it.
BlockId new_segment(State& s, const Request& request);

/// cudaFree of a block that is among the free blocks and is a whole segment. Throws
/// `PredictedError`, with nothing changed, where it is not whole, or where PyTorch's count of the
/// private pool's allocations has run out.
void free_segment(State& s, BlockId id);

/// 9.3: PyTorch counts a pool's allocations, but lowers the count for every piece it gives back.
/// Throws `PredictedError` where the count has run out. Null for the default pools.
void refuse_uncounted(const PrivatePool* owner);

}  // namespace highwater::allocator
