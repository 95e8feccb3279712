#pragma once

#include <vector>

#include "sim/allocator/state.hpp"

namespace highwater::allocator {

inline PoolStream& pool_stream(State& s, PoolStreamId id) {
    return s.pool_streams[static_cast<std::size_t>(id)];
}
inline const PoolStream& pool_stream(const State& s, PoolStreamId id) {
    return s.pool_streams[static_cast<std::size_t>(id)];
}
inline BlockPool& block_pool(State& s, BlockPoolId id) {
    return s.pools[static_cast<std::size_t>(id)];
}
inline const BlockPool& block_pool(const State& s, BlockPoolId id) {
    return s.pools[static_cast<std::size_t>(id)];
}

/// The pool stream a block belongs to for life.
inline PoolStream& home(State& s, const Block& block) {
    return pool_stream(s, block.pool_stream);
}
inline const PoolStream& home(const State& s, const Block& block) {
    return pool_stream(s, block.pool_stream);
}
inline BlockPool& pool_of(State& s, const Block& block) {
    return block_pool(s, home(s, block).pool);
}
inline const BlockPool& pool_of(const State& s, const Block& block) {
    return block_pool(s, home(s, block).pool);
}

[[gnu::cold, gnu::noinline]] PoolStreamId add_pool_stream(State& s,
                                                          BlockPoolId pool,
                                                          StreamId stream);

[[gnu::cold, gnu::noinline]] void tell_trace(
    State& s, TraceEvent::Kind kind, PoolStreamId at, Address address, Bytes size);

/// Tells the trace, if there is one.
inline void record(State& s, TraceEvent::Kind kind, PoolStreamId at, Address address, Bytes size) {
    if (s.trace != nullptr) [[unlikely]] {
        tell_trace(s, kind, at, address, size);
    }
}

/// The stream's share of the pool; `kNoPoolStream` if it has none yet.
inline PoolStreamId find_pool_stream(const State& s, BlockPoolId pool, StreamId stream) {
    const std::vector<PoolStreamId>& of_stream = block_pool(s, pool).of_stream;
    const std::size_t index = index_of(stream);
    return index < of_stream.size() ? of_stream[index] : kNoPoolStream;
}

/// The stream's share of the pool, made on first use.
inline PoolStreamId pool_stream_of(State& s, BlockPoolId pool, StreamId stream) {
    const std::vector<PoolStreamId>& of_stream = block_pool(s, pool).of_stream;
    const auto index = static_cast<std::size_t>(stream);
    if (index < of_stream.size() && of_stream[index] != kNoPoolStream) [[likely]] {
        return of_stream[index];
    }
    return add_pool_stream(s, pool, stream);
}

/// The pool's streams in the order of the free blocks: by stream handle.
std::vector<PoolStreamId> streams_in_order(const State& s, BlockPoolId pool);

/// The pool's free blocks in order: by stream handle, size, address.
std::vector<BlockId> free_blocks_in_order(const State& s, BlockPoolId pool);

/// Puts a mapped block among the free blocks. From now on its age counts.
inline void insert_free(State& s, PoolStream& at, BlockId id) {
    s.blocks[id].gc_base = block_pool(s, at.pool).lookups;
    at.free.insert(s.blocks, id);
}
inline void insert_free(State& s, BlockId id) {
    insert_free(s, home(s, s.blocks[id]), id);
}

/// Adds an unmapped block to its stream's, by address.
void insert_unmapped(State& s, BlockId id);
[[gnu::cold, gnu::noinline]] void erase_unmapped(State& s, BlockId id);

/// Null if there is none with that id.
PrivatePool* find_private_pool(State& s, PoolId id);
const PrivatePool* find_private_pool(const State& s, PoolId id);
/// A new private pool that one owner holds.
PrivatePool& add_private_pool(State& s, PoolId id);

/// Counts memory that a pool stream got from the device, or gave back.
void add_reserved(State& s, PoolStreamId to, Bytes bytes);
void subtract_reserved(State& s, PoolStreamId from, Bytes bytes);

}  // namespace highwater::allocator
