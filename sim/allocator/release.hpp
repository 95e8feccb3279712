#pragma once

#include "sim/allocator/cached_blocks.hpp"

/// Allocator specification 5.2 to 5.4: giving memory back to the device.
namespace highwater::allocator {

/// 5.2: frees oversize blocks of the request's stream until they make up for its size. False if
/// they did not.
bool release_oversize_blocks(State& s, const Request& request);

/// 5.3: what empty_cache does, and the last resort of malloc.
void release_cached_blocks(State& s);

/// 5.3 for the private pools that nobody holds, without waiting for events.
void release_freeable_pools(State& s);

/// 5.3 for one private pool: releases it if nobody holds it, else does nothing. Throws
/// `PredictedError` if a routing is active.
void release_private_pool(State& s, PoolId id);

/// What `release_pool` does with one of the free blocks: true if something went back.
bool release_block(State& s, BlockId id);

/// Where release_pool would give memory back: the begin of each segment, or of each run of pages.
std::vector<Address> releasable(const State& s, BlockPoolId pool);

/// 5.4: frees the whole segments among the pool's free blocks, then unmaps its free expandable
/// blocks.
void release_pool(State& s, BlockPoolId pool);

}  // namespace highwater::allocator
