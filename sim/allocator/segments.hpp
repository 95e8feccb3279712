#pragma once

#include "sim/allocator/cached_blocks.hpp"

/// Allocator specification 5.1: memory from the device.
namespace highwater::allocator {

/// A block of memory fresh from the device, in no pool: a segment of its own or, with expandable
/// segments, a grown one. `kNoBlock` if the limit or the device does not allow it.
BlockId new_segment(State& s, const Request& request);

/// cudaFree of a free block that is a whole segment, which is in no pool any more.
void free_segment(State& s, BlockId id);

}  // namespace highwater::allocator
