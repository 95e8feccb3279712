#include "sim/allocator/snapshot.hpp"

#include <algorithm>

#include "sim/allocator/pools.hpp"

namespace highwater::allocator {
namespace {

BlockState state_of(const Block& block) {
    if (block.allocated) {
        return BlockState::kActiveAllocated;
    }
    return block.is_pending() ? BlockState::kActivePendingFree : BlockState::kInactive;
}

SegmentInfo range_from(const State& s, const Block& first) {
    const PoolStream& at = home(s, first);
    const BlockPool& pool = block_pool(s, at.pool);
    SegmentInfo info{.address = first.address,
                     .size = Bytes{0},
                     .stream = at.stream,
                     .kind = pool.kind,
                     .pool = pool.owner,
                     .is_expandable = first.is_expandable(),
                     .blocks = {}};
    for (const Block* b = &first; b->mapped;) {
        info.size += b->size;
        info.blocks.push_back({b->address, b->size, b->requested, state_of(*b)});
        if (b->next == kNoBlock) {
            break;
        }
        b = &s.blocks[b->next];
    }
    return info;
}

}  // namespace

bool starts_range(const State& s, const Block& block) {
    return block.in_arena && block.mapped &&
           (block.prev == kNoBlock || !s.blocks[block.prev].mapped);
}

std::vector<SegmentInfo> snapshot(const State& s) {
    std::vector<SegmentInfo> result;
    for (std::size_t i = 0; i < s.blocks.places(); ++i) {
        const Block& block = s.blocks[BlockId{static_cast<std::uint32_t>(i)}];
        if (starts_range(s, block)) {
            result.push_back(range_from(s, block));
        }
    }
    std::ranges::sort(result, {}, &SegmentInfo::address);
    return result;
}

bool same_as_far_as_known(const SegmentInfo& one, const SegmentInfo& other) {
    SegmentInfo known = other;
    for (std::size_t i = 0; i < std::min(one.blocks.size(), known.blocks.size()); ++i) {
        if (one.blocks[i].requested == kUnknownRequest ||
            known.blocks[i].requested == kUnknownRequest) {
            known.blocks[i].requested = one.blocks[i].requested;
        }
    }
    return one == known;
}

}  // namespace highwater::allocator
