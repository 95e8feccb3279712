#pragma once

#include "sim/allocator/malloc_result.hpp"
#include "sim/allocator/state.hpp"

/// Allocator specification 4: malloc.
namespace highwater::allocator {

/// `requested` bytes on `stream`, as the current stream of `thread`. Requests that no segment can
/// be rounded up for (`kMaxRequest`) are out of memory like any other.
MallocResult malloc(State& s, Bytes requested, StreamId stream, ThreadId thread);

/// The same in the pool of that id, made if need be, whatever routings say: for histories, which
/// tell where a request went but not why. 4.1 is left out: whoever replays knows when frees
/// complete.
MallocResult malloc_in_pool(State& s, Bytes requested, StreamId stream, PoolId pool);

/// The same without a search (4.3): new memory, as an allocation takes that is tried again after
/// all frees were waited for and the cache was emptied.
MallocResult grow_in_pool(State& s, Bytes requested, StreamId stream, PoolId pool);

}  // namespace highwater::allocator
