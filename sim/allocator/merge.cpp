#include "sim/allocator/merge.hpp"

#include "sim/allocator/pools.hpp"

namespace highwater::allocator {
namespace {

bool merges(const State& s, const Block& block, BlockId neighbour) {
    return neighbour != kNoBlock && is_free(s.blocks[neighbour]) &&
           s.blocks[neighbour].mapped == block.mapped;
}

void take_out(State& s, BlockId id) {
    const Block& block = s.blocks[id];
    if (block.mapped) {
        home(s, block).free.erase(s.blocks, id);
    } else {
        erase_unmapped(s, id);
    }
}

Bytes absorb_prev(State& s, BlockId id) {
    Block& block = s.blocks[id];
    const BlockId prev_id = block.prev;
    take_out(s, prev_id);
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

Bytes absorb_next(State& s, BlockId id) {
    Block& block = s.blocks[id];
    const BlockId next_id = block.next;
    take_out(s, next_id);
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
    if (block.is_expandable()) {
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

Merged merge_with_neighbours(State& s, BlockId id) {
    Merged merged;
    if (merges(s, s.blocks[id], s.blocks[id].prev)) {
        merged.prev = absorb_prev(s, id);
    }
    if (merges(s, s.blocks[id], s.blocks[id].next)) {
        merged.next = absorb_next(s, id);
    }
    return merged;
}

void return_to_pool(State& s, BlockId id) {
    const Block given_back = s.blocks[id];
    const PoolStream& at = home(s, given_back);
    const PoolKind kind = block_pool(s, at.pool).kind;
    record(s,
           TraceEvent::Kind::kFreeCompleted,
           given_back.pool_stream,
           given_back.address,
           given_back.requested);
    const Merged merged = merge_with_neighbours(s, id);
    insert_free(s, id);
    count_returned(s, kind, s.blocks[id], merged);
    s.counters.decrease(Counter::kActive, kind, 1);
    s.counters.decrease(Counter::kActiveBytes, kind, given_back.size.count);
    s.counters.decrease(Counter::kRequestedBytes, kind, given_back.requested.count);
}

}  // namespace highwater::allocator
