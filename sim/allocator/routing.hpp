#pragma once

#include "sim/allocator/state.hpp"

/// Allocator specification 8: captures, use_mem_pool and private pools.
namespace highwater::allocator {

/// 8.1: starts a routing to the pool, which is made if there is none with this id. Throws
/// `PredictedError` if the id is being recorded to already, or its pool has been given up.
void begin_routing(State& s, const Routing& routing);

/// 8.2: ends the newest routing to the pool. Throws `PredictedError` if there is none.
void end_routing(State& s, PoolId pool);

/// 8.2: one holder of the pool goes; without holders the pool is freeable.
void give_up_pool(State& s, PoolId pool);

/// A MemPool goes: it no longer serves on out of memory, and lets its pool go.
void destroy_pool(State& s, PoolId pool);

/// A MemPool: one holder from the start.
void create_pool(State& s, PoolId pool, bool use_on_oom, bool no_split);

/// The pool that serves this stream and thread, by the newest routing that accepts them; null for
/// the default pools.
const PrivatePool* routed_pool(const State& s, StreamId stream, ThreadId thread);

/// 8.4: the nodes that a block freed now must wait for; empty if some of its streams is not being
/// captured, or the setting is off.
std::vector<NodeId> markers_of(const State& s, StreamId own, const UseSet& uses);

/// 8.4: returns the parked blocks of the stream whose markers it has passed.
void reuse_parked_blocks(State& s, StreamId stream);

}  // namespace highwater::allocator
