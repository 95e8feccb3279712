#pragma once

#include "sim/allocator/state.hpp"

/// Allocator specification 4.2: the search among the free blocks.
namespace highwater::allocator {

/// A malloc under way. `size` is the rounded request.
struct Request {
    Bytes requested;
    Bytes size;
    StreamId stream{};
    BlockPoolId pool{};
};

/// The free block that would serve the request, whether or not its age counts; `kNoBlock` if none
/// does.
BlockId find_cached_block(const State& s, const Request& request);

/// 4.2d: whether `max_split_size_mb` keeps requests of `size` off a block of `block_size`, which is
/// no smaller: those below it off blocks that are not split, those above it off much larger ones.
bool refused(const State& s, Bytes size, Bytes block_size);

/// Takes the block that serves the request out of its pool; `kNoBlock` if none does.
BlockId take_cached_block(State& s, const Request& request);

/// True if blocks' ages matter: there is a limit and a garbage-collection threshold (4.2a, 4.3a).
bool collects_garbage(const State& s);

}  // namespace highwater::allocator
