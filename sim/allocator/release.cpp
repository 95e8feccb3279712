#include "sim/allocator/release.hpp"

#include <algorithm>

#include "sim/allocator/events.hpp"
#include "sim/allocator/expandable.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/predicted_error.hpp"
#include "sim/allocator/segments.hpp"

namespace highwater::allocator {
namespace {

// Releases downwards from `from` over the blocks of at least `least` bytes, until the sum reaches
// `key`.
bool release_downwards(State& s, FreeBlocks& free, BlockId from, Bytes least, Bytes key) {
    Bytes released;
    while (released < key && from != kNoBlock && s.blocks[from].size >= least) {
        const BlockId below = free.previous(s.blocks, from);
        if (!s.blocks[from].is_expandable()) {
            released += s.blocks[from].size;
            free_segment(s, from);
        }
        from = below;
    }
    return released >= key;
}

void release_private_blocks(State& s, const PrivatePool& pool) {
    release_pool(s, pool.small);
    release_pool(s, pool.large);
}

}  // namespace

bool release_oversize_blocks(State& s, const Request& request) {
    const Bytes least = *s.settings.max_split_size;
    const Bytes key = std::max(request.size, least);
    FreeBlocks& free = pool_stream(s, pool_stream_of(s, request.pool, request.stream)).free;
    const BlockId enough = free.first_at_least(s.blocks, key);
    if (enough != kNoBlock && !s.blocks[enough].is_expandable()) {
        free_segment(s, enough);
        return true;
    }
    const BlockId from = enough != kNoBlock ? enough : free.last(s.blocks);
    return release_downwards(s, free, from, least, key);
}

void release_freeable_pools(State& s) {
    for (auto it = s.private_pools.begin(); it != s.private_pools.end();) {
        if (it->second.use_count == 0) {
            release_private_blocks(s, it->second);
        }
        const bool gone = it->second.use_count == 0 && it->second.device_allocations == 0;
        it = gone ? s.private_pools.erase(it) : std::next(it);
    }
}

void release_cached_blocks(State& s) {
    if (s.routings.empty()) {
        synchronize_events(s, std::nullopt);
        release_pool(s, kDefaultLargePool);
        release_pool(s, kDefaultSmallPool);
    }
    release_freeable_pools(s);
}

void release_private_pool(State& s, PoolId id) {
    PrivatePool* pool = find_private_pool(s, id);
    if (pool == nullptr || pool->use_count > 0) {
        return;
    }
    if (!s.routings.empty()) {
        throw PredictedError(PredictedError::Kind::kInternalAssert,
                             "a memory pool was destroyed while another capture or use_mem_pool "
                             "scope was active: PyTorch stops with an internal assert when it "
                             "waits for the pool's events",
                             "destroy it when the capture or the scope is over");
    }
    synchronize_events(s, id);
    release_private_blocks(s, *pool);
    if (pool->device_allocations == 0) {
        s.private_pools.erase(id);
    }
}

bool release_block(State& s, BlockId id) {
    const Bytes before = s.total_allocated;
    if (s.blocks[id].is_expandable()) {
        unmap_block(s, id);
    } else if (!s.blocks[id].is_split()) {
        free_segment(s, id);
    }
    return s.total_allocated < before;
}

std::vector<Address> releasable(const State& s, BlockPoolId pool) {
    std::vector<Address> result;
    for (const BlockId id : free_blocks_in_order(s, pool)) {
        const Block& block = s.blocks[id];
        if (block.is_expandable()) {
            if (const auto [begin, end] = whole_pages(s, block); begin < end) {
                result.push_back(begin);
            }
        } else if (!block.is_split()) {
            result.push_back(block.address);
        }
    }
    return result;
}

void release_pool(State& s, BlockPoolId pool) {
    std::vector<BlockId> expandable;
    for (const BlockId id : free_blocks_in_order(s, pool)) {
        if (s.blocks[id].is_expandable()) {
            expandable.push_back(id);
        } else if (!s.blocks[id].is_split()) {
            free_segment(s, id);
        }
    }
    for (const BlockId id : expandable) {
        unmap_block(s, id);
    }
}

}  // namespace highwater::allocator
