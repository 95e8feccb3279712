#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/allocator/async/graph_memory.hpp"
#include "sim/allocator/async/pool_profile.hpp"
#include "sim/allocator/async/stream_order.hpp"
#include "sim/allocator/async/stream_ordered_pool.hpp"
#include "sim/allocator/malloc_result.hpp"
#include "sim/allocator/memory_stats.hpp"
#include "sim/allocator/settings.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// The ports of the backend cudaMallocAsync. They outlive it.
struct AsyncPorts {
    DeviceMemory& device;
    StreamOrder& order;
    CaptureRecorder& captures;
};

/// PyTorch 2.11 with `backend:cudaMallocAsync` on one device: what it adds to the driver's pool
/// (around-allocator specification 8.1). Beside the native `Allocator` it has the same verbs, and
/// more where the driver needs to know: `synchronized`, `launch`, `destroy_graph`. Block ids given
/// to it are from `malloc` and not freed since.
///
/// Operations that PyTorch would refuse throw `PredictedError`; its state is then PyTorch's. An out
/// of memory is final: later releases of PyTorch trim the pool and try again.
class AsyncAllocator {
  public:
    /// `unifying_stream` is a stream that PyTorch takes for itself.
    AsyncAllocator(const AllocatorSettings& settings,
                   Bytes total_memory,
                   StreamId unifying_stream,
                   AsyncPorts ports,
                   const PoolProfile& profile = {});

    /// On a stream that is capturing, an allocation node; on another, refused while a capture
    /// forbids unsafe calls.
    MallocResult malloc(Bytes requested, StreamId stream);
    /// While a capture is under way, what was allocated before it is kept until its end.
    void free(BlockId block);
    void record_stream(BlockId block, StreamId stream);

    /// torch.cuda.empty_cache(): synchronises with the device. Throws what `StreamOrder` throws.
    void empty_cache();
    /// The host has synchronised with a stream or the device.
    void synchronized() { pool_.synchronized(); }

    /// Before the capture begins on its stream. Throws `PredictedError` while another is under way:
    /// there is one a process.
    void begin_capture(PoolId pool, CaptureId capture);
    /// Before the capture ends: `origin` waits for the streams in which PyTorch freed. That this
    /// comes in time is uncertain of 2.11 (around-allocator specification 8.1).
    void join_free_streams(StreamId origin);
    /// After the capture has ended.
    void end_routing(PoolId pool);
    /// Pools are the native allocator's: there is nothing to let go.
    void give_up_pool(PoolId) {}
    /// Before the work of CUDAGraph.replay is put into the stream, and after. No memory is a value:
    /// a launch takes what the graph needs.
    std::optional<OutOfMemory> launch(CaptureId graph, StreamId stream);
    void launched(CaptureId graph, StreamId stream) { graph_memory_.launched(graph, stream); }
    /// CUDAGraph.reset.
    void destroy_graph(CaptureId graph) { graph_memory_.destroy(graph); }

    /// Not supported by the backend: each throws `PredictedError`. So do snapshots and the
    /// recording of a history.
    [[noreturn]] void create_pool(PoolId pool, bool use_on_oom, bool no_split);
    [[noreturn]] void destroy_pool(PoolId pool);
    [[noreturn]] void begin_use_mem_pool(PoolId pool);

    /// Throws `SettingsError` as PyTorch would. The options are the native allocator's: none has an
    /// effect here.
    void apply_settings(std::string_view text) { highwater::apply_settings(settings_, text); }
    /// A limit to the bytes asked for and not freed, graphs' included, in place of reserved ones.
    void set_memory_fraction(double fraction);
    const std::optional<Bytes>& limit() const { return limit_; }

    /// Only allocated = active and reserved bytes of all pools, current and peak; the rest is 0.
    /// Memory of graphs is in no figure.
    MemoryStats stats() const;
    void reset_peaks() { pool_.reset_high_water_marks(); }
    /// PyTorch only warns.
    void reset_accumulated() {}

    const StreamOrderedPool& pool() const { return pool_; }
    const GraphMemory& graph_memory() const { return graph_memory_; }
    /// For libraries that put nodes of their own into captures.
    GraphMemory& graph_memory() { return graph_memory_; }

  private:
    struct Pointer {
        Address address;
        Bytes size;
        StreamId stream{};
        /// The streams that `record_stream` named, in order, each once.
        std::vector<StreamId> uses;
        /// Allocated while a capture was under way, on whichever stream.
        bool in_capture = false;
        /// Of an allocation node: the graph.
        std::optional<CaptureId> graph;
        bool is_live = false;
    };

    bool is_allowed(Bytes requested) const;
    std::optional<Address> take(const Pointer& pointer);
    OutOfMemory out_of_memory(Bytes requested) const;
    BlockId keep(Pointer&& pointer);
    Pointer& live_pointer(BlockId block);
    void give_back(BlockId block);
    void give_back_to_pool(Address address, StreamId stream);
    StreamId free_stream(const Pointer& pointer);
    void wait_for(StreamId waiting, StreamId waited_for);

    AllocatorSettings settings_;
    AsyncPorts ports_;
    Bytes total_memory_;
    StreamId unifying_stream_;
    StreamOrderedPool pool_;
    GraphMemory graph_memory_;
    /// PyTorch's own count: bytes asked for and not freed.
    Bytes used_;
    std::optional<Bytes> limit_;
    std::vector<Pointer> pointers_;
    std::vector<BlockId> vacant_;
    bool is_capturing_ = false;
    /// Freed while a capture is under way, but not allocated in it.
    std::vector<BlockId> deferred_;
    /// In which the capture's pointers were freed, in order, each once.
    std::vector<StreamId> free_streams_;
};

}  // namespace highwater
