#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/cuda/CUDAGraph.h>
#include <ATen/cuda/MemPool.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>

#include "gpu/card/cuda_card.hpp"
#include "gpu/memory_backend.hpp"

namespace highwater::gpu {

/// PyTorch's own allocator, streams and graphs, through libtorch.
class TorchMemory final : public MemoryBackend {
  public:
    TorchMemory(const Program& program, int device, std::vector<c10::cuda::CUDAStream> streams);

    Abilities abilities() const override { return {}; }
    std::string framework() const override;
    Taken malloc(Bytes size, StreamId stream, ThreadId thread) override;
    void free(const Memory& memory) override;
    void record_stream(const Memory& memory, StreamId stream) override;
    void empty_cache() override;
    void apply_settings(const std::string& conf) override;
    void set_memory_fraction(double fraction) override;
    void reset_peaks() override;
    MemoryStats stats() override;
    std::optional<Bytes> limit() override;
    std::vector<SegmentInfo> segments() override;
    const AllocatorSettings& settings() const override { return settings_; }
    void set_trace(TraceSink* sink) override;
    PoolId make_pool_handle() override;
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
    void instantiate(GraphId graph) override;
    void replay(GraphId graph, StreamId stream) override;
    void destroy_graph(GraphId graph) override;

  private:
    using Allocator = c10::cuda::CUDACachingAllocator::CUDAAllocator;
    /// It does not tell its pool before its capture has ended well.
    struct Graph : at::cuda::CUDAGraph {
        using CUDAGraph::CUDAGraph;
        c10::MempoolId_t pool_now() const { return mempool_id_; }
    };
    struct Saved {
        std::shared_ptr<c10::cuda::CUDACachingAllocator::AllocatorState> state;
    };

    Allocator& allocator() const { return *c10::cuda::CUDACachingAllocator::get(); }
    /// The calling thread's current stream from now on.
    void make_current(StreamId stream);
    StreamId stream_of(void* handle);
    Memory keep(c10::DataPtr data, Bytes size);
    Graph& graph(GraphId id);
    void take(const c10::CachingDeviceAllocator::TraceEntry& entry);

    c10::DeviceIndex device_;
    bool is_async_;
    AllocatorSettings settings_;
    Bytes total_memory_;
    std::vector<c10::cuda::CUDAStream> streams_;
    /// The Program's, and others' as they come up.
    std::map<void*, StreamId> stream_ids_;
    std::vector<c10::DataPtr> data_;
    std::vector<std::uint64_t> vacant_;
    std::map<PoolId, std::unique_ptr<at::cuda::MemPool>> pools_;
    std::map<GraphId, std::unique_ptr<Graph>> graphs_;
    std::map<std::string, Saved> saved_;
    bool is_tracked_ = false;
    TraceSink* sink_ = nullptr;
};

}  // namespace highwater::gpu
