#pragma once

#include "sim/allocator/malloc_result.hpp"
#include "sim/allocator/state.hpp"

/// Allocator specification 4: malloc.
namespace highwater::allocator {

/// `requested` bytes on `stream`, as the current stream of `thread`. Requests that no segment can
/// be rounded up for (`kMaxRequest`) are out of memory like any other.
MallocResult malloc(State& s, Bytes requested, StreamId stream, ThreadId thread);

}  // namespace highwater::allocator
