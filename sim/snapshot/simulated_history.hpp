#pragma once

#include <set>
#include <vector>

#include "sim/allocator/malloc.hpp"
#include "sim/allocator/state.hpp"
#include "sim/snapshot/no_ports.hpp"
#include "sim/snapshot/requests.hpp"
#include "sim/snapshot/start_segments.hpp"

namespace highwater {

/// Of no card: it only bounds expandable segments, which never reach their end.
inline constexpr Bytes kHistoryMemory{std::uint64_t{1} << 40U};

/// The allocator's rules, driven by the requests of a history instead of a program.
class SimulatedHistory {
  public:
    /// `memory` outlives it. `streams` by number, the default stream first.
    SimulatedHistory(const AllocatorSettings& settings,
                     Bytes total_memory,
                     DeviceMemory& memory,
                     const std::vector<StreamHandle>& streams);

    /// Before anything else: blocks of these pools are never split.
    void forbid_splits(const std::vector<PoolId>& pools);
    /// Takes segments of the history's start over, their blocks as the first allocations.
    void adopt(const History& history, const StartSegments& start);
    /// All of the start is allocated now: frees what was pending in it, and counts from here.
    void begin(const History& history);
    /// Peaks and sums.
    void begin_counting();

    MallocResult alloc(AllocationId id, Bytes requested, StreamId stream, PoolId pool);
    /// With new memory, though a free block may fit: the allocation was tried again.
    MallocResult grow(AllocationId id, Bytes requested, StreamId stream, PoolId pool);
    /// The free block that begins there, exactly `size` of it, whatever the split limits say. False
    /// if there is none that large.
    bool restore(AllocationId id, Bytes size, Address address);
    /// It waits until `complete`, or until the allocator waits for everything.
    void free(AllocationId id, bool waits);
    void complete(AllocationId id);
    void empty_cache();

    allocator::State& state() { return state_; }
    const allocator::State& state() const { return state_; }

    /// By allocation; `kNoBlock` where it is not held.
    const std::vector<BlockId>& blocks() const { return blocks_; }

    /// The free block that the rules would take, if the pool has one.
    BlockId candidate(Bytes requested, StreamId stream, PoolId pool) const;
    /// Where emptying the pool would give memory back.
    std::vector<Address> releasable(PoolId pool) const;
    /// The free block that holds the address, if one does.
    BlockId free_block_around(Address address) const;

  private:
    MallocResult held(AllocationId id, const MallocResult& result);
    void hold(AllocationId id, BlockId block);
    void note_completed();

    NoEvents events_;
    NoCaptures captures_;
    allocator::State state_;
    std::vector<BlockId> blocks_;
    std::set<AllocationId> waiting_;
};

}  // namespace highwater
