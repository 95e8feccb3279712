#include "sim/allocator/hand_out.hpp"

#include <array>

#include "sim/allocator/constants.hpp"
#include "sim/allocator/cut.hpp"
#include "sim/allocator/pools.hpp"

namespace highwater::allocator {
namespace {

// 4.5: the least remainder that becomes a block of its own, by the pool's kind.
constexpr std::array<Bytes, 2> kLeastRemainder{kMinBlockSize, kSmallSize + kMinBlockSize};

bool splits(const State& s, const PoolStream& at, const Block& block, Bytes size) {
    // With expandable segments on, large pools split as small ones do.
    const PoolKind as = s.settings.expandable_segments ? PoolKind::kSmall : at.kind;
    if (at.no_split || (is_oversize(s, size) && as == PoolKind::kLarge)) [[unlikely]] {
        return false;
    }
    return block.size - size >= kLeastRemainder[index_of(as)];
}

// 4.6, the counters of free blocks in split segments.
void count_split(State& s, PoolKind kind, bool was_split, const Block& front, Bytes remainder) {
    if (front.is_expandable()) [[unlikely]] {
        return;
    }
    if (was_split) [[likely]] {
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

// The front serves the request; the rest goes back to the pool.
void split(State& s, PoolStream& at, BlockId id, Bytes size) {
    const bool was_split = s.blocks[id].is_split();
    const BlockId rest = cut_block(s.blocks, id, size);
    count_split(s, at.kind, was_split, s.blocks[id], s.blocks[rest].size);
    insert_free(s, at, rest);
}

// The block is in no pool, and has its size.
void give(State& s, PoolStream& at, BlockId id, Bytes requested) {
    Block& block = s.blocks[id];
    block.allocated = true;
    block.requested = requested;
    count_allocation(s, at.kind, block);
    record(s, TraceEvent::Kind::kAlloc, block.pool_stream, block.address, requested);
}

}  // namespace

void count_allocation(State& s, PoolKind kind, const Block& block) {
    s.counters.handed_out(kind, block.size, block.requested);
    if (is_oversize(s, block.size)) [[unlikely]] {
        increase(s.counters.oversize_allocations, 1);
    }
}

void hand_out(State& s, BlockId id, const Request& request) {
    PoolStream& at = home(s, s.blocks[id]);
    if (splits(s, at, s.blocks[id], request.size)) {
        split(s, at, id, request.size);
    } else {
        count_whole(s, at.kind, s.blocks[id]);
    }
    give(s, at, id, request.requested);
}

void hand_out_exactly(State& s, BlockId id, Bytes size) {
    PoolStream& at = home(s, s.blocks[id]);
    if (s.blocks[id].size > size) {
        split(s, at, id, size);
    } else {
        count_whole(s, at.kind, s.blocks[id]);
    }
    give(s, at, id, size);
}

}  // namespace highwater::allocator
