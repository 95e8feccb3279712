#include "sim/allocator/expandable.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/allocator/constants.hpp"
#include "sim/allocator/cut.hpp"
#include "sim/allocator/merge.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/segments.hpp"

namespace highwater::allocator {
namespace {

const Reservation& reservation_of(const State& s, const Block& block) {
    return s.reservations[static_cast<std::size_t>(block.reservation)];
}

// True if the run of free or unmapped blocks from here offers the size.
bool run_offers(const State& s, BlockId from, Bytes size) {
    Bytes offered;
    for (BlockId b = from; b != kNoBlock && is_free(s.blocks[b]); b = s.blocks[b].next) {
        offered += s.blocks[b].size;
        if (offered >= size) {
            return true;
        }
    }
    return false;
}

// Cuts the block at `size`: a new block, mapped as this one is, follows it. In no set, and as yet
// without a request served.
BlockId cut(State& s, BlockId id, Bytes size) {
    const BlockId rest = cut_block(s.blocks, id, size);
    s.blocks[rest].requested = Bytes{0};
    return rest;
}

void count_unmapping(State& s, PoolId owner) {
    PrivatePool* pool = find_private_pool(s, owner);
    if (pool == nullptr) {
        return;
    }
    refuse_uncounted(pool);
    --pool->device_allocations;
}

void drop_reservation_if_bare(State& s, BlockId id) {
    const Block& block = s.blocks[id];
    if (block.is_split()) {
        return;
    }
    erase_unmapped(s, id);
    s.ports.device.release(block.address, block.size);
    s.blocks.drop(id);
}

// Cuts the ends off that do not fill a page; they stay as free blocks of their own. Gives the
// middle, in no set; PyTorch lets it keep what the block served last.
BlockId keep_ragged_ends(State& s, BlockId id, Address begin, Address end) {
    if (s.blocks[id].address < begin) {
        const BlockId middle = cut(s, id, begin - s.blocks[id].address);
        s.blocks[middle].requested = std::exchange(s.blocks[id].requested, Bytes{0});
        insert_free(s, id);
        id = middle;
    }
    if (end < s.blocks[id].end()) {
        insert_free(s, cut(s, id, end - s.blocks[id].address));
    }
    return id;
}

void become_unmapped(State& s, BlockId id) {
    s.blocks[id].mapped = false;
    merge_with_neighbours(s, home(s, s.blocks[id]), id);
    insert_unmapped(s, id);
}

}  // namespace

// An unmapped block with its free left neighbour, if any, ahead of it.
BlockId find_growing_run(const State& s, const PoolStream& at, Bytes size) {
    for (const BlockId unmapped : at.unmapped) {
        const BlockId left = s.blocks[unmapped].prev;
        const BlockId start = left != kNoBlock && is_free(s.blocks[left]) ? left : unmapped;
        if (run_offers(s, start, size)) {
            return start;
        }
    }
    return kNoBlock;
}

Pages whole_pages(const State& s, const Block& block) {
    const Reservation& in = reservation_of(s, block);
    const Address begin = in.base + round_up(block.address - in.base, in.page);
    const Address end = in.base + round_down(block.end() - in.base, in.page);
    return {begin, std::max(begin, end)};
}

Bytes reservation_size(const State& s, Bytes page) {
    constexpr std::uint64_t kEighth = 8;
    return round_up(s.total_memory + Bytes{s.total_memory.count / kEighth}, page);
}

BlockId add_reservation(State& s, PoolStreamId at, Bytes page) {
    const Bytes size = reservation_size(s, page);
    const std::optional<Address> base = s.ports.device.reserve(size);
    if (!base) {
        return kNoBlock;
    }
    const ReservationId reservation{static_cast<std::uint32_t>(s.reservations.size())};
    s.reservations.push_back({*base, size, page});
    Block block;
    block.address = *base;
    block.size = size;
    block.pool_stream = at;
    block.reservation = reservation;
    block.mapped = false;
    const BlockId id = s.blocks.add(block);
    insert_unmapped(s, id);
    return id;
}

bool map_block(State& s, BlockId id, Bytes size) {
    const Address address = s.blocks[id].address;
    const PoolStreamId at = s.blocks[id].pool_stream;
    const Bytes mapped = round_up(size, reservation_of(s, s.blocks[id]).page);
    if (!s.ports.device.map(address, mapped)) {
        return false;
    }
    erase_unmapped(s, id);
    if (mapped < s.blocks[id].size) {
        insert_unmapped(s, cut(s, id, mapped));
    }
    s.blocks[id].mapped = true;
    merge_with_neighbours(s, home(s, s.blocks[id]), id);
    insert_free(s, id);
    add_reserved(s, at, mapped);
    record(s, TraceEvent::Kind::kSegmentMap, at, address, mapped);
    return true;
}

BlockId grow_expandable_segment(State& s, const Request& request) {
    const PoolStreamId at = pool_stream_of(s, request.pool, request.stream);
    BlockId candidate = find_growing_run(s, pool_stream(s, at), request.size);
    if (candidate == kNoBlock) {
        const bool small = block_pool(s, request.pool).kind == PoolKind::kSmall;
        candidate = add_reservation(s, at, small ? kSmallBuffer : s.settings.large_segment_size);
        if (candidate == kNoBlock) {
            return kNoBlock;
        }
        if (s.blocks[candidate].size < request.size) {
            drop_reservation_if_bare(s, candidate);
            return kNoBlock;
        }
    }
    // A free candidate is mapped; each step maps what follows and merges it in.
    Bytes have = s.blocks[candidate].mapped ? s.blocks[candidate].size : Bytes{0};
    while (have < request.size) {
        const BlockId unmapped = have == Bytes{0} ? candidate : s.blocks[candidate].next;
        const Bytes missing = request.size - have;
        if (!map_block(s, unmapped, std::min(missing, s.blocks[unmapped].size))) {
            return kNoBlock;
        }
        candidate = unmapped;
        have = s.blocks[candidate].size;
    }
    pool_stream(s, at).free.erase(s.blocks, candidate);
    return candidate;
}

void unmap_block(State& s, BlockId id) {
    const PoolStreamId at = s.blocks[id].pool_stream;
    const auto [begin, end] = whole_pages(s, s.blocks[id]);
    if (end == begin) {
        return;
    }
    const Bytes unmapped = end - begin;
    count_unmapping(s, block_pool(s, pool_stream(s, at).pool).owner);
    pool_stream(s, at).free.erase(s.blocks, id);
    s.ports.device.unmap(begin, unmapped);
    const BlockId middle = keep_ragged_ends(s, id, begin, end);
    become_unmapped(s, middle);
    ++s.counters.num_device_free;
    subtract_reserved(s, at, unmapped);
    record(s, TraceEvent::Kind::kSegmentUnmap, at, begin, unmapped);
    drop_reservation_if_bare(s, middle);
}

}  // namespace highwater::allocator
