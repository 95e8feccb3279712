#include "sim/allocator/pinned.hpp"

#include <algorithm>
#include <tuple>

#include "sim/allocator/expandable.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/snapshot.hpp"

namespace highwater::allocator {
namespace {

Bytes held_in(const State& s, const Block& free) {
    if (!free.is_expandable()) {
        return free.size;
    }
    const auto [begin, end] = whole_pages(s, free);
    return free.size - (end - begin);
}

void add_block(PinnedSegment& to, const State& s, BlockId id) {
    const Block& block = s.blocks[id];
    to.size += block.size;
    if (block.allocated) {
        to.allocated += block.size;
        to.blocks.push_back(id);
    } else if (!block.is_pending()) {
        to.held += held_in(s, block);
    }
}

PinnedSegment range_from(const State& s, BlockId first) {
    const Block& start = s.blocks[first];
    const BlockPool& pool = pool_of(s, start);
    PinnedSegment range{.address = start.address,
                        .size = {},
                        .pool = pool.owner,
                        .kind = pool.kind,
                        .stream = home(s, start).stream,
                        .is_expandable = start.is_expandable(),
                        .allocated = {},
                        .held = {},
                        .blocks = {}};
    for (BlockId b = first; b != kNoBlock && s.blocks[b].mapped; b = s.blocks[b].next) {
        add_block(range, s, b);
    }
    return range;
}

}  // namespace

std::vector<PinnedSegment> pinned_segments(const State& s) {
    std::vector<PinnedSegment> all;
    for (std::uint32_t i = 0; i < s.blocks.places(); ++i) {
        if (!starts_range(s, s.blocks[BlockId{i}])) {
            continue;
        }
        PinnedSegment range = range_from(s, BlockId{i});
        if (!range.blocks.empty() && range.held > Bytes{0}) {
            all.push_back(std::move(range));
        }
    }
    std::ranges::sort(all, [](const PinnedSegment& a, const PinnedSegment& b) {
        return std::tuple(b.held, a.address) < std::tuple(a.held, b.address);
    });
    return all;
}

}  // namespace highwater::allocator
