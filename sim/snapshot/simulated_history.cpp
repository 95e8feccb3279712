#include "sim/snapshot/simulated_history.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "sim/allocator/events.hpp"
#include "sim/allocator/hand_out.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/release.hpp"
#include "sim/allocator/rounding.hpp"
#include "sim/allocator/routing.hpp"
#include "sim/core/check.hpp"

namespace highwater {
namespace {

std::optional<allocator::BlockPoolId> block_pool_of(const allocator::State& s,
                                                    PoolId pool,
                                                    bool small) {
    if (pool == kDefaultPoolId) {
        return small ? allocator::kDefaultSmallPool : allocator::kDefaultLargePool;
    }
    const auto found = s.private_pools.find(pool);
    if (found == s.private_pools.end()) {
        return std::nullopt;
    }
    return small ? found->second.small : found->second.large;
}

}  // namespace
SimulatedHistory::SimulatedHistory(const AllocatorSettings& settings,
                                   Bytes total_memory,
                                   DeviceMemory& memory,
                                   const std::vector<StreamHandle>& streams)
    : state_(settings, total_memory, {memory, events_, captures_}) {
    for (const StreamHandle handle : streams) {
        state_.streams.push_back({.handle = handle, .events = {}});
    }
}

void SimulatedHistory::forbid_splits(const std::vector<PoolId>& pools) {
    for (const PoolId pool : pools) {
        allocator::create_pool(state_, pool, false, true);
    }
}

void SimulatedHistory::adopt(const History& history, const StartSegments& start) {
    allocator::adopt(state_, start.segments, start.reservations);
    // How often an expandable segment grew is not known, only that it can be given back.
    constexpr std::uint64_t kEnough = std::uint64_t{1} << 32U;
    for (const SegmentInfo& segment : start.segments) {
        if (segment.is_expandable && segment.pool != kDefaultPoolId) {
            state_.private_pools.at(segment.pool).device_allocations = kEnough;
        }
    }
    std::map<Address, BlockId> at;
    for (std::uint32_t i = 0; i < state_.blocks.places(); ++i) {
        if (const Block& block = state_.blocks[BlockId{i}]; block.allocated) {
            at[block.address] = BlockId{i};
        }
    }
    std::uint32_t next = 0;
    for (const StartRange& range : history.start) {
        for (const StartBlock& block : range.blocks) {
            const AllocationId id{next++};
            if (const auto found = at.find(block.address); found != at.end()) {
                hold(id, found->second);
            }
        }
    }
}

void SimulatedHistory::begin(const History& history) {
    std::uint32_t next = 0;
    for (const StartRange& range : history.start) {
        for (const StartBlock& block : range.blocks) {
            const AllocationId id{next++};
            if (block.is_pending) {
                free(id, true);
            }
        }
    }
    begin_counting();
}

void SimulatedHistory::begin_counting() {
    state_.counters.reset_accumulated();
    state_.counters.reset_peaks();
    for (allocator::PoolUsage& usage : state_.usages) {
        usage.total.high_water = usage.total.reserved;
        for (allocator::Usage& of_stream : usage.by_stream) {
            of_stream.high_water = of_stream.reserved;
        }
    }
}

MallocResult SimulatedHistory::alloc(AllocationId id,
                                     Bytes requested,
                                     StreamId stream,
                                     PoolId pool) {
    return held(id, allocator::malloc_in_pool(state_, requested, stream, pool));
}

MallocResult SimulatedHistory::grow(AllocationId id,
                                    Bytes requested,
                                    StreamId stream,
                                    PoolId pool) {
    return held(id, allocator::grow_in_pool(state_, requested, stream, pool));
}

MallocResult SimulatedHistory::held(AllocationId id, const MallocResult& result) {
    if (const auto* allocated = std::get_if<Allocated>(&result)) {
        hold(id, allocated->block);
    }
    note_completed();
    return result;
}

BlockId SimulatedHistory::candidate(Bytes requested, StreamId stream, PoolId pool) const {
    const Bytes size = round_size(state_.settings, requested);
    const auto at = block_pool_of(state_, pool, uses_small_pool(size));
    return at ? allocator::find_cached_block(state_, {requested, size, stream, *at}) : kNoBlock;
}

std::vector<Address> SimulatedHistory::releasable(PoolId pool) const {
    std::vector<Address> result;
    for (const bool small : {true, false}) {
        if (const auto at = block_pool_of(state_, pool, small)) {
            std::ranges::copy(allocator::releasable(state_, *at), std::back_inserter(result));
        }
    }
    return result;
}

BlockId SimulatedHistory::free_block_around(Address address) const {
    for (std::uint32_t i = 0; i < state_.blocks.places(); ++i) {
        const Block& block = state_.blocks[BlockId{i}];
        if (block.in_arena && block.mapped && !block.is_active() && block.address <= address &&
            address < block.end()) {
            return BlockId{i};
        }
    }
    return kNoBlock;
}

bool SimulatedHistory::restore(AllocationId id, Bytes size, Address address) {
    const BlockId block = free_block_around(address);
    if (block == kNoBlock || state_.blocks[block].address != address ||
        state_.blocks[block].size < size) {
        return false;
    }
    allocator::home(state_, state_.blocks[block]).free.erase(state_.blocks, block);
    allocator::hand_out_exactly(state_, block, size);
    hold(id, block);
    return true;
}

void SimulatedHistory::hold(AllocationId id, BlockId block) {
    blocks_.resize(std::max(blocks_.size(), index_of(id) + 1), kNoBlock);
    blocks_[index_of(id)] = block;
}

void SimulatedHistory::free(AllocationId id, bool waits) {
    const BlockId block = index_of(id) < blocks_.size() ? blocks_[index_of(id)] : kNoBlock;
    if (block == kNoBlock) {
        return;  // An allocation of 0 bytes.
    }
    if (waits) {
        allocator::free_later(state_, block);
        waiting_.insert(id);
        return;
    }
    allocator::free(state_, block);
    blocks_[index_of(id)] = kNoBlock;
}

void SimulatedHistory::complete(AllocationId id) {
    if (waiting_.erase(id) > 0) {
        allocator::complete_free(state_, blocks_.at(index_of(id)));
        blocks_[index_of(id)] = kNoBlock;
    }
}

void SimulatedHistory::empty_cache() {
    allocator::release_cached_blocks(state_);
    note_completed();
}

// When the allocator waits, it waits for all.
void SimulatedHistory::note_completed() {
    if (state_.parked.empty()) {
        for (const AllocationId id : waiting_) {
            blocks_[index_of(id)] = kNoBlock;
        }
        waiting_.clear();
    }
}

}  // namespace highwater
