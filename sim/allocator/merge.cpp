#include "sim/allocator/merge.hpp"

#include "sim/allocator/pools.hpp"

namespace highwater::allocator {
namespace {

bool merges(const State& s, const Block& block, BlockId neighbour) {
    return neighbour != kNoBlock && is_free(s.blocks[neighbour]) &&
           s.blocks[neighbour].mapped == block.mapped;
}

void take_out(State& s, PoolStream& at, BlockId id) {
    if (s.blocks[id].mapped) [[likely]] {
        at.free.erase(s.blocks, id);
    } else {
        erase_unmapped(s, id);
    }
}

Bytes absorb_prev(State& s, PoolStream& at, BlockId id) {
    Block& block = s.blocks[id];
    const BlockId prev_id = block.prev;
    take_out(s, at, prev_id);
    const Block& prev = s.blocks[prev_id];
    const Bytes gained = prev.size;
    block.address = prev.address;
    block.size += gained;
    block.prev = prev.prev;
    if (block.prev != kNoBlock) {
        s.blocks[block.prev].next = id;
    }
    s.blocks.drop(prev_id);
    return gained;
}

Bytes absorb_next(State& s, PoolStream& at, BlockId id) {
    Block& block = s.blocks[id];
    const BlockId next_id = block.next;
    take_out(s, at, next_id);
    const Block& next = s.blocks[next_id];
    const Bytes gained = next.size;
    block.size += gained;
    block.next = next.next;
    if (block.next != kNoBlock) {
        s.blocks[block.next].prev = id;
    }
    s.blocks.drop(next_id);
    return gained;
}

// The net change of the counters of free blocks in split segments.
void count_returned(State& s, PoolKind kind, const Block& block, const Merged& merged) {
    if (block.is_expandable()) [[unlikely]] {
        return;
    }
    const auto merges = (merged.prev > Bytes{0} ? 1 : 0) + (merged.next > Bytes{0} ? 1 : 0);
    auto blocks = std::int64_t{-merges};
    auto bytes = -static_cast<std::int64_t>((merged.prev + merged.next).count);
    if (block.is_split()) {
        ++blocks;
        bytes += static_cast<std::int64_t>(block.size.count);
    }
    s.counters.change(Counter::kInactiveSplit, kind, blocks);
    s.counters.change(Counter::kInactiveSplitBytes, kind, bytes);
}

}  // namespace

Merged merge_with_neighbours(State& s, PoolStream& at, BlockId id) {
    Merged merged;
    if (merges(s, s.blocks[id], s.blocks[id].prev)) {
        merged.prev = absorb_prev(s, at, id);
    }
    if (merges(s, s.blocks[id], s.blocks[id].next)) {
        merged.next = absorb_next(s, at, id);
    }
    return merged;
}

void return_to_pool(State& s, BlockId id) {
    const Block& block = s.blocks[id];
    s.counters.returned(home(s, block).kind, block.size, block.requested);
    become_free(s, id);
}

// Flattened, as malloc is.
[[gnu::flatten]] void become_free(State& s, BlockId id) {
    const Block& block = s.blocks[id];
    PoolStream& at = home(s, block);
    record(s, TraceEvent::Kind::kFreeCompleted, block.pool_stream, block.address, block.requested);
    const Merged merged = merge_with_neighbours(s, at, id);
    count_returned(s, at.kind, block, merged);
    insert_free(s, at, id);
}

}  // namespace highwater::allocator
