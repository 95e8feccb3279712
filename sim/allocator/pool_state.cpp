#include "sim/allocator/pool_state.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/allocator/events.hpp"
#include "sim/allocator/hand_out.hpp"
#include "sim/allocator/merge.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/predicted_error.hpp"

namespace highwater::allocator {
namespace {

using Kind = PredictedError::Kind;

bool waits(const SegmentInfo& segment) {
    return std::ranges::any_of(segment.blocks, [](const BlockInfo& block) {
        return block.state == BlockState::kActivePendingFree;
    });
}

std::map<Address, BlockId> blocks_of(const State& s, PoolId pool) {
    std::map<Address, BlockId> found;
    for (std::uint32_t i = 0; i < s.blocks.places(); ++i) {
        const Block& block = s.blocks[BlockId{i}];
        if (block.in_arena && block.mapped && pool_of(s, block).owner == pool) {
            found.emplace(block.address, BlockId{i});
        }
    }
    return found;
}

void free_all(State& s, PoolId pool) {
    for (const auto& [address, id] : blocks_of(s, pool)) {
        if (s.blocks[id].allocated) {
            free(s, id);
        }
    }
}

// The free block that holds all of the segment.
BlockId whole_segment(const State& s, const SegmentInfo& segment) {
    const std::map<Address, BlockId> blocks = blocks_of(s, segment.pool);
    const auto found = blocks.find(segment.address);
    if (found == blocks.end() || !is_free(s.blocks[found->second]) ||
        s.blocks[found->second].size < segment.size) {
        throw PredictedError(
            Kind::kInternalAssert,
            fmt::format("a pool is set back, but its segment at {:#x} is gone, or a block in it "
                        "waits for events: PyTorch stops with an internal assert",
                        segment.address.value),
            "keep what the pool had, with no `empty_cache` in between, and synchronise, before it "
            "is set back");
    }
    return found->second;
}

std::vector<BlockId> lay_out(State& s, const SegmentInfo& segment) {
    std::vector<BlockId> laid_out;
    BlockId next = whole_segment(s, segment);
    for (const BlockInfo& info : segment.blocks) {
        home(s, s.blocks[next]).free.erase(s.blocks, next);
        hand_out_exactly(s, next, info.size);
        laid_out.push_back(next);
        next = s.blocks[next].next;
    }
    return laid_out;
}

}  // namespace

PoolState save_pool(const State& s, PoolId pool) {
    PoolState state{pool, {}};
    for (SegmentInfo& segment : snapshot(s)) {
        if (segment.pool != pool) {
            continue;
        }
        if (waits(segment)) {
            throw PredictedError(Kind::kRuntimeError,
                                 "the state of a pool is noted while one of its blocks waits for "
                                 "events: PyTorch refuses that",
                                 "synchronise before");
        }
        state.segments.push_back(std::move(segment));
    }
    return state;
}

std::map<Address, BlockId> restore_pool(State& s, const PoolState& saved) {
    free_all(s, saved.pool);
    std::map<Address, BlockId> allocated;
    for (const SegmentInfo& segment : saved.segments) {
        const std::vector<BlockId> laid_out = lay_out(s, segment);
        for (std::size_t i = 0; i < laid_out.size(); ++i) {
            if (segment.blocks[i].state == BlockState::kActiveAllocated) {
                allocated.emplace(segment.blocks[i].address, laid_out[i]);
            } else {
                free(s, laid_out[i]);
            }
        }
    }
    return allocated;
}

}  // namespace highwater::allocator
