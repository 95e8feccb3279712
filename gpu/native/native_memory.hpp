#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/card/raw_graphs.hpp"
#include "gpu/memory_backend.hpp"
#include "gpu/native/real_ports.hpp"
#include "sim/allocator/allocator.hpp"

namespace highwater::gpu {

/// The allocator that the simulator predicts with, on a card.
class NativeMemory final : public MemoryBackend {
  public:
    /// Both outlive it.
    NativeMemory(const Program& program, CudaCard& card);

    Abilities abilities() const override;
    std::string framework() const override { return ""; }
    Taken malloc(Bytes size, StreamId stream, ThreadId thread) override;
    void free(const Memory& memory) override;
    void record_stream(const Memory& memory, StreamId stream) override;
    void empty_cache() override;
    void apply_settings(const std::string& conf) override;
    void set_memory_fraction(double fraction) override;
    void reset_peaks() override { allocator_.reset_peaks(); }
    MemoryStats stats() override { return allocator_.stats(); }
    std::optional<Bytes> limit() override { return allocator_.state().limit; }
    std::vector<SegmentInfo> segments() override { return allocator_.snapshot(); }
    const AllocatorSettings& settings() const override { return allocator_.state().settings; }
    void set_trace(TraceSink* sink) override { allocator_.set_trace(sink); }
    PoolId make_pool_handle() override { return {0, next_handle_++}; }
    PoolId create_pool(bool use_on_oom, bool no_split) override;
    void destroy_pool(PoolId pool) override;
    void enter_pool(PoolId pool, ThreadId thread) override;
    void leave_pool(PoolId pool) override;
    void save_pool(PoolId pool, const std::string& name) override;
    std::vector<std::optional<Memory>> restore_pool(const std::string& name,
                                                    const std::vector<Memory>& live) override;
    PoolId begin_capture(GraphId graph,
                         StreamId stream,
                         std::optional<PoolId> pool,
                         CaptureMode mode) override;
    CaptureGraph end_capture(GraphId graph, StreamId current) override;
    void instantiate(GraphId graph) override { graphs_.instantiate(graph); }
    void replay(GraphId graph, StreamId stream) override { graphs_.replay(graph, stream); }
    void destroy_graph(GraphId graph) override;

  private:
    struct Captured {
        PoolId pool;
        bool has_ended = false;
    };
    void make_generator_state(StreamId stream);
    void drop_generator_state();

    RealMemory memory_;
    RealEvents events_;
    RealCaptures captures_;
    RawGraphs graphs_;
    Allocator allocator_;
    std::uint64_t next_handle_ = 1;
    std::uint64_t next_graph_ = 1;
    std::uint32_t next_capture_ = 0;
    std::map<GraphId, Captured> captured_;
    std::map<std::string, PoolState> saved_;
    /// As PyTorch's generator has: two 8-byte tensors while a graph is alive.
    std::vector<BlockId> generator_state_;
    std::size_t graphs_alive_ = 0;
};

}  // namespace highwater::gpu
