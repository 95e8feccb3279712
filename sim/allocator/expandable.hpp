#pragma once

#include "sim/allocator/cached_blocks.hpp"

/// Allocator specification 9: expandable segments.
namespace highwater::allocator {

/// 9.2: a mapped block of at least the request's size, in no pool; `kNoBlock` if the device does
/// not give the memory.
BlockId grow_expandable_segment(State& s, const Request& request);

/// 9.2: the first run of free and unmapped blocks that a stream's expandable segments would grow
/// from to offer `size` bytes, by its first block; `kNoBlock` if it would take a new reservation.
BlockId find_growing_run(const State& s, const PoolStream& at, Bytes size);

/// The whole pages inside an expandable block: [begin, end), empty if there are none.
struct Pages {
    Address begin;
    Address end;
};
Pages whole_pages(const State& s, const Block& block);

/// 9.3: gives the whole pages of a free block back. The block is among the free blocks. Throws
/// `PredictedError` where PyTorch's count of the private pool's allocations runs out.
void unmap_block(State& s, BlockId id);

/// 9.1: 9/8 of the card's memory, in whole pages.
Bytes reservation_size(const State& s, Bytes page);

/// Address space for an expandable segment of this pool stream: one unmapped block covers it.
/// `kNoBlock` if there is none.
BlockId add_reservation(State& s, PoolStreamId at, Bytes page);

/// Maps the first `size` bytes, rounded up to pages, of an unmapped block and puts the result,
/// merged, among the free blocks. False if the device does not give the memory.
bool map_block(State& s, BlockId id, Bytes size);

}  // namespace highwater::allocator
