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

// The blocks of the segment after `last`, in no set yet; gives the last of them.
BlockId append_blocks(State& s, const SegmentInfo& segment, const Block& like, BlockId last) {
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
        if (!s.blocks[id].mapped) {
            insert_unmapped(s, id);
            continue;
        }
        count_block(s, kind, s.blocks[id]);
        if (!s.blocks[id].allocated) {
            insert_free(s, id);
        }
    }
}

void adopt_segment(State& s, const SegmentInfo& segment, PoolStreamId at) {
    Block like;
    like.pool_stream = at;
    s.counters.increase(Counter::kSegment, segment.kind, 1);
    if (is_oversize(s, segment.size)) {
        increase(s.counters.oversize_segments, 1);
    }
    settle_blocks(s, segment.kind, append_blocks(s, segment, like, kNoBlock));
    add_reserved(s, at, segment.size);
}

Bytes page_of(const State& s, PoolKind kind) {
    return kind == PoolKind::kSmall ? kSmallBuffer : s.settings.large_segment_size;
}

// The ranges of one reservation, by address.
struct AdoptedReservation {
    PoolStreamId at{};
    Address base;
    Bytes size;
    std::vector<const SegmentInfo*> ranges;
};

bool reaches(const AdoptedReservation& reservation, PoolStreamId at, const SegmentInfo& range) {
    return reservation.at == at &&
           range.address + range.size <= reservation.base + reservation.size;
}

Address base_of(const SegmentInfo& range, Address behind, const std::vector<Address>& bases) {
    Address base = range.address;
    for (const Address each : bases) {
        if (each >= behind && each < range.address) {
            base = each;
        }
    }
    return base;
}

BlockId append_unmapped(State& s, Block like, BlockId last, Address from, Address to) {
    if (from == to) {
        return last;
    }
    like.address = from;
    like.size = to - from;
    like.mapped = false;
    like.requested = kUnknownRequest;
    return append(s, last, like);
}

void adopt_reservation(State& s, const AdoptedReservation& reservation) {
    const PoolKind kind = reservation.ranges.front()->kind;
    Block like;
    like.pool_stream = reservation.at;
    like.reservation = ReservationId{static_cast<std::uint32_t>(s.reservations.size())};
    s.reservations.push_back({reservation.base, reservation.size, page_of(s, kind)});
    BlockId last = kNoBlock;
    Address end = reservation.base;
    for (const SegmentInfo* range : reservation.ranges) {
        last = append_unmapped(s, like, last, end, range->address);
        last = append_blocks(s, *range, like, last);
        end = range->address + range->size;
        add_reserved(s, reservation.at, range->size);
    }
    last = append_unmapped(s, like, last, end, reservation.base + reservation.size);
    settle_blocks(s, kind, last);
}

}  // namespace

void adopt(State& s,
           const std::vector<SegmentInfo>& segments,
           const std::vector<Address>& reservations) {
    std::vector<AdoptedReservation> found;
    Address end;
    for (const SegmentInfo& segment : segments) {
        const PoolStreamId at = pool_stream_of(s, pool_for(s, segment), segment.stream);
        if (!segment.is_expandable) {
            adopt_segment(s, segment, at);
        } else if (!found.empty() && reaches(found.back(), at, segment)) {
            found.back().ranges.push_back(&segment);
        } else {
            const Address base = base_of(segment, end, reservations);
            found.push_back({at, base, reservation_size(s, page_of(s, segment.kind)), {&segment}});
        }
        end = segment.address + segment.size;
    }
    for (const AdoptedReservation& reservation : found) {
        adopt_reservation(s, reservation);
    }
    s.counters.reset_accumulated();
    s.counters.reset_peaks();
}

}  // namespace highwater::allocator
