#include "sim/allocator/cached_blocks.hpp"

#include "sim/allocator/pools.hpp"

namespace highwater::allocator {
namespace {

// What a free block could grow to: expandable blocks may map what lies to their right.
Bytes room(const State& s, const Block& block) {
    const bool grows = block.next != kNoBlock && !s.blocks[block.next].mapped;
    return grows ? block.size + s.blocks[block.next].size : block.size;
}

// 4.2c with expandable segments on: the least room wins, as far as it keeps falling.
[[gnu::cold, gnu::noinline]] BlockId least_room(const State& s,
                                                const FreeBlocks& free,
                                                BlockId found) {
    while (s.blocks[found].is_expandable()) {
        const BlockId next = free.next(s.blocks, found);
        if (next == kNoBlock || room(s, s.blocks[next]) >= room(s, s.blocks[found])) {
            break;
        }
        found = next;
    }
    return found;
}

// 4.2c with expandable segments switched off since.
[[gnu::cold, gnu::noinline]] BlockId first_not_expandable(const State& s,
                                                          const FreeBlocks& free,
                                                          BlockId found) {
    while (found != kNoBlock && s.blocks[found].is_expandable()) {
        found = free.next(s.blocks, found);
    }
    return found;
}

}  // namespace

bool refused(const State& s, Bytes size, Bytes block_size) {
    if (!s.settings.max_split_size) {
        return false;
    }
    if (size < *s.settings.max_split_size) {
        return block_size >= *s.settings.max_split_size;
    }
    return block_size - size >= s.settings.max_non_split_rounding;
}

bool collects_garbage(const State& s) {
    return s.limit.has_value() && s.settings.garbage_collection_threshold > 0;
}

namespace {

[[gnu::always_inline]] inline BlockId search(const State& s, const FreeBlocks& free, Bytes size) {
    BlockId found = free.first_at_least(s.blocks, size);
    if (found != kNoBlock && s.blocks[found].is_expandable()) [[unlikely]] {
        found = s.settings.expandable_segments ? least_room(s, free, found)
                                               : first_not_expandable(s, free, found);
    }
    return found == kNoBlock || refused(s, size, s.blocks[found].size) ? kNoBlock : found;
}

}  // namespace

BlockId find_cached_block(const State& s, const Request& request) {
    const PoolStreamId at = find_pool_stream(s, request.pool, request.stream);
    return at == kNoPoolStream ? kNoBlock : search(s, pool_stream(s, at).free, request.size);
}

BlockId take_cached_block(State& s, const Request& request) {
    if (collects_garbage(s)) {
        ++block_pool(s, request.pool).lookups;
    }
    FreeBlocks& free = pool_stream(s, pool_stream_of(s, request.pool, request.stream)).free;
    const BlockId found = search(s, free, request.size);
    if (found != kNoBlock) {
        free.erase(s.blocks, found);
    }
    return found;
}

}  // namespace highwater::allocator
