#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "sim/allocator/malloc.hpp"
#include "sim/allocator/memory_stats.hpp"
#include "sim/allocator/pool_state.hpp"
#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/state.hpp"

namespace highwater {

/// The native caching allocator of PyTorch 2.11 on one device, as rules on simulated memory. Exact
/// in every counter, address and trace event (allocator specification). Ids given to it must be its
/// own: streams from `add_stream`, blocks from `malloc` and not freed since.
///
/// Operations that PyTorch would refuse throw `PredictedError`; its state is then PyTorch's.
class Allocator {
  public:
    /// `total_memory` is the card's; the settings' memory fraction sets the limit.
    Allocator(const AllocatorSettings& settings, Bytes total_memory, Ports ports);

    /// Streams with the same handle are the same stream. Stream 0 is there from the start: the
    /// default stream, handle 0.
    StreamId add_stream(StreamHandle handle);

    MallocResult malloc(Bytes requested, StreamId stream, ThreadId thread = kMainThread) {
        return allocator::malloc(state_, requested, stream, thread);
    }
    void free(BlockId block);
    void record_stream(BlockId block, StreamId stream);

    /// torch.cuda.empty_cache().
    void empty_cache();

    /// Sends the allocations of the capture's streams to the pool, until `end_routing`.
    void begin_capture(PoolId pool, CaptureId capture);
    /// use_mem_pool: sends the allocations of the thread to the pool, until `end_routing`.
    void begin_use_mem_pool(PoolId pool, ThreadId thread = kMainThread);
    void end_routing(PoolId pool);
    /// A graph, or a use_mem_pool scope, lets its pool go.
    void give_up_pool(PoolId pool);
    /// MemPool's construction and destruction.
    void create_pool(PoolId pool, bool use_on_oom, bool no_split);
    /// Throws `PredictedError` where PyTorch asserts: a routing is active.
    void destroy_pool(PoolId pool);

    /// What cudagraph trees do between recordings.
    PoolState save_pool(PoolId pool) const { return allocator::save_pool(state_, pool); }
    std::map<Address, BlockId> restore_pool(const PoolState& saved) {
        return allocator::restore_pool(state_, saved);
    }

    /// torch.cuda.memory._set_allocator_settings. Throws `SettingsError` as PyTorch would, with the
    /// keys before the bad one applied.
    void apply_settings(std::string_view text);
    /// torch.cuda.set_per_process_memory_fraction: 1 takes the limit away.
    void set_memory_fraction(double fraction);

    MemoryStats stats() const { return state_.counters.stats(); }
    void reset_peaks() { state_.counters.reset_peaks(); }
    void reset_accumulated() { state_.counters.reset_accumulated(); }
    std::vector<SegmentInfo> snapshot() const { return allocator::snapshot(state_); }
    void adopt(const std::vector<SegmentInfo>& segments) { allocator::adopt(state_, segments); }

    /// Null for none. The sink outlives its use here.
    void set_trace(TraceSink* sink) { state_.trace = sink; }

    /// Null for the order in which blocks came to wait. It outlives its use here.
    void set_visit_order(const VisitOrder* order) { state_.visit_order = order; }

    const Block& block(BlockId id) const { return state_.blocks[id]; }
    const allocator::State& state() const { return state_; }

  private:
    allocator::State state_;
    std::map<StreamHandle, StreamId> streams_;
};

}  // namespace highwater
