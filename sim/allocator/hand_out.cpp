#include "sim/allocator/hand_out.hpp"

#include "sim/allocator/constants.hpp"
#include "sim/allocator/pools.hpp"

namespace highwater::allocator {
namespace {

// 4.5
bool splits(const State& s, const Block& block, Bytes size) {
    const BlockPool& pool = pool_of(s, block);
    if (pool.no_split) {
        return false;
    }
    const Bytes remainder = block.size - size;
    if (pool.kind == PoolKind::kSmall || s.settings.expandable_segments) {
        return remainder >= kMinBlockSize;
    }
    return (!s.settings.max_split_size || size < *s.settings.max_split_size) &&
           remainder > kSmallSize;
}

// 4.6, the counters of free blocks in split segments.
void count_split(State& s, PoolKind kind, bool was_split, const Block& front, Bytes remainder) {
    if (front.is_expandable()) {
        return;
    }
    if (was_split) {
        s.counters.decrease(Counter::kInactiveSplitBytes, kind, front.size.count);
    } else {
        s.counters.increase(Counter::kInactiveSplit, kind, 1);
        s.counters.increase(Counter::kInactiveSplitBytes, kind, remainder.count);
    }
}

void count_whole(State& s, PoolKind kind, const Block& block) {
    if (block.is_split() && !block.is_expandable()) {
        s.counters.decrease(Counter::kInactiveSplit, kind, 1);
        s.counters.decrease(Counter::kInactiveSplitBytes, kind, block.size.count);
    }
}

// Cuts the block after `size` bytes; the remainder goes back to the pool.
void split(State& s, BlockId id, Bytes size) {
    const BlockId rest_id = s.blocks.add();
    Block& front = s.blocks[id];
    Block& rest = s.blocks[rest_id];
    rest.address = front.address + size;
    rest.size = front.size - size;
    rest.requested = front.requested;
    rest.pool_stream = front.pool_stream;
    rest.reservation = front.reservation;
    rest.prev = id;
    rest.next = front.next;
    if (rest.next != kNoBlock) {
        s.blocks[rest.next].prev = rest_id;
    }
    front.size = size;
    front.next = rest_id;
    insert_free(s, rest_id);
}

}  // namespace

void count_allocation(State& s, PoolKind kind, const Block& block) {
    s.counters.increase(Counter::kAllocation, kind, 1);
    s.counters.increase(Counter::kAllocatedBytes, kind, block.size.count);
    s.counters.increase(Counter::kActive, kind, 1);
    s.counters.increase(Counter::kActiveBytes, kind, block.size.count);
    s.counters.increase(Counter::kRequestedBytes, kind, block.requested.count);
    if (is_oversize(s, block.size)) {
        increase(s.counters.oversize_allocations, 1);
    }
}

void hand_out(State& s, BlockId id, const Request& request) {
    const PoolKind kind = pool_of(s, s.blocks[id]).kind;
    if (splits(s, s.blocks[id], request.size)) {
        const bool was_split = s.blocks[id].is_split();
        split(s, id, request.size);
        const Block& front = s.blocks[id];
        count_split(s, kind, was_split, front, s.blocks[front.next].size);
    } else {
        count_whole(s, kind, s.blocks[id]);
    }
    Block& block = s.blocks[id];
    block.allocated = true;
    block.requested = request.requested;
    count_allocation(s, kind, block);
    record(s, TraceEvent::Kind::kAlloc, block.pool_stream, block.address, request.requested);
}

}  // namespace highwater::allocator
