#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "sim/allocator/allocator.hpp"
#include "sim/allocator/async/async_allocator.hpp"

namespace highwater {

/// What cudaMallocAsync, and allocation nodes of graphs, need beside their ports.
struct AsyncSetup {
    StreamId unifying_stream{};
    PoolProfile profile;
};

/// The allocator that a process's settings choose, by the verbs that both have. The native one is
/// also there to be looked at where it is not chosen, and is then unused. With it, too, libraries
/// may put allocation nodes into captures.
class AnyAllocator {
  public:
    AnyAllocator(const AllocatorSettings& settings,
                 Bytes total_memory,
                 const Ports& ports,
                 const AsyncPorts& async_ports,
                 const AsyncSetup& async);

    Allocator& native() { return native_; }
    const Allocator& native() const { return native_; }
    /// Null unless the backend is cudaMallocAsync.
    AsyncAllocator* async() { return async_.get(); }
    const AsyncAllocator* async() const { return async_.get(); }

    MallocResult malloc(Bytes requested, StreamId stream, ThreadId thread = kMainThread) {
        return async_ ? async_->malloc(requested, stream)
                      : native_.malloc(requested, stream, thread);
    }
    void free(BlockId block);
    void record_stream(BlockId block, StreamId stream);
    void empty_cache();

    void begin_capture(PoolId pool, CaptureId capture);
    /// Just before the capture ends on its stream.
    void before_capture_ends(StreamId origin);
    void end_routing(PoolId pool);
    void give_up_pool(PoolId pool);
    void begin_use_mem_pool(PoolId pool, ThreadId thread = kMainThread);
    void create_pool(PoolId pool, bool use_on_oom, bool no_split);
    void destroy_pool(PoolId pool);

    /// Of allocation nodes, the allocator's own or a library's.
    GraphMemory& graph_memory() { return async_ ? async_->graph_memory() : graph_memory_; }

    /// Before a replay's work is put into the stream, and after. False if the device has no memory
    /// for the graph's allocation nodes.
    bool launch(CaptureId graph, StreamId stream);
    void launched(CaptureId graph, StreamId stream);
    void destroy_graph(CaptureId graph);
    /// The host has synchronised with a stream, an event or the device.
    void synchronized();

    void apply_settings(std::string_view text);
    void set_memory_fraction(double fraction);
    std::optional<Bytes> limit() const;

    MemoryStats stats() const { return async_ ? async_->stats() : native_.stats(); }
    void reset_peaks();

  private:
    Allocator native_;
    /// With the native allocator.
    GraphMemory graph_memory_;
    std::unique_ptr<AsyncAllocator> async_;
};

}  // namespace highwater
