#include "sim/allocator/constants.hpp"
#include "sim/allocator/expandable.hpp"
#include "sim/allocator/hand_out.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/snapshot.hpp"

namespace highwater::allocator {
namespace {

BlockPoolId pool_for(State& s, const SegmentInfo& segment) {
    const bool small = segment.kind == PoolKind::kSmall;
    if (segment.pool == kDefaultPoolId) {
        return small ? kDefaultSmallPool : kDefaultLargePool;
    }
    PrivatePool* known = find_private_pool(s, segment.pool);
    PrivatePool& pool = known != nullptr ? *known : add_private_pool(s, segment.pool);
    ++pool.device_allocations;
    return small ? pool.small : pool.large;
}

BlockId append(State& s, BlockId last, const Block& block) {
    const BlockId id = s.blocks.add(block);
    s.blocks[id].prev = last;
    if (last != kNoBlock) {
        s.blocks[last].next = id;
    }
    return id;
}

// The blocks of the segment, in no set yet; gives the last.
BlockId append_blocks(State& s, const SegmentInfo& segment, const Block& like) {
    BlockId last = kNoBlock;
    for (const BlockInfo& info : segment.blocks) {
        Block block = like;
        block.address = info.address;
        block.size = info.size;
        block.requested = info.requested;
        block.allocated = info.state == BlockState::kActiveAllocated;
        last = append(s, last, block);
    }
    return last;
}

// The unmapped rest of the reservation that an expandable range begins.
void append_unmapped(State& s, const SegmentInfo& segment, Block like, BlockId last) {
    const Bytes size = reservation_size(s, s.reservations.back().page);
    like.address = segment.address + segment.size;
    like.size = size - segment.size;
    like.mapped = false;
    like.requested = kUnknownRequest;
    insert_unmapped(s, append(s, last, like));
}

void count_block(State& s, PoolKind kind, const Block& block) {
    if (block.allocated) {
        count_allocation(s, kind, block);
    } else if (block.is_split() && !block.is_expandable()) {
        s.counters.increase(Counter::kInactiveSplit, kind, 1);
        s.counters.increase(Counter::kInactiveSplitBytes, kind, block.size.count);
    }
}

void settle_blocks(State& s, PoolKind kind, BlockId last) {
    for (BlockId id = last; id != kNoBlock; id = s.blocks[id].prev) {
        count_block(s, kind, s.blocks[id]);
        if (!s.blocks[id].allocated) {
            insert_free(s, id);
        }
    }
}

Bytes page_of(const State& s, PoolKind kind) {
    return kind == PoolKind::kSmall ? kSmallBuffer : s.settings.large_segment_size;
}

void adopt_segment(State& s, const SegmentInfo& segment) {
    Block like;
    like.pool_stream = pool_stream_of(s, pool_for(s, segment), segment.stream);
    if (segment.is_expandable) {
        const Bytes page = page_of(s, segment.kind);
        like.reservation = ReservationId{static_cast<std::uint32_t>(s.reservations.size())};
        s.reservations.push_back({segment.address, reservation_size(s, page), page});
    } else {
        s.counters.increase(Counter::kSegment, segment.kind, 1);
        if (is_oversize(s, segment.size)) {
            increase(s.counters.oversize_segments, 1);
        }
    }
    const BlockId last = append_blocks(s, segment, like);
    if (segment.is_expandable) {
        append_unmapped(s, segment, like, last);
    }
    settle_blocks(s, segment.kind, last);
    add_reserved(s, like.pool_stream, segment.size);
}

}  // namespace

void adopt(State& s, const std::vector<SegmentInfo>& segments) {
    for (const SegmentInfo& segment : segments) {
        adopt_segment(s, segment);
    }
    s.counters.reset_accumulated();
    s.counters.reset_peaks();
}

}  // namespace highwater::allocator
