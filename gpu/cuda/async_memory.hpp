#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/card/raw_graphs.hpp"
#include "gpu/memory_backend.hpp"

namespace highwater::gpu {

/// cudaMallocAsync, and allocation nodes in captures: no PyTorch, no pools but the driver's.
class AsyncMemory final : public MemoryBackend {
  public:
    /// The card outlives it.
    explicit AsyncMemory(CudaCard& card);
    ~AsyncMemory() override;
    AsyncMemory(const AsyncMemory&) = delete;
    AsyncMemory& operator=(const AsyncMemory&) = delete;

    Abilities abilities() const override;
    std::string framework() const override { return ""; }
    Taken malloc(Bytes size, StreamId stream, ThreadId thread) override;
    void free(const Memory& memory) override;
    void record_stream(const Memory& memory, StreamId stream) override;
    void empty_cache() override;
    void apply_settings(const std::string& conf) override;
    void set_memory_fraction(double) override {}
    void reset_peaks() override;
    MemoryStats stats() override;
    std::optional<Bytes> limit() override { return std::nullopt; }
    std::vector<std::pair<std::string, std::uint64_t>> figures() override;
    std::vector<SegmentInfo> segments() override { return {}; }
    const AllocatorSettings& settings() const override { return settings_; }
    void set_trace(TraceSink*) override {}
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
    void destroy_graph(GraphId graph) override { graphs_.destroy(graph); }

  private:
    struct Pointer {
        void* address = nullptr;
        Bytes size;
        StreamId stream{};
        std::vector<StreamId> uses;
        bool in_capture = false;
    };
    std::uint64_t pool_attribute(cudaMemPoolAttr which) const;
    std::uint64_t graph_attribute(cudaGraphMemAttributeType which) const;
    static void join(cudaStream_t waiting, cudaStream_t waited_for);
    void give_back(const Pointer& pointer);
    cudaStream_t free_stream(const Pointer& pointer);
    void join_free_streams(cudaStream_t origin);

    CudaCard& card_;
    RawGraphs graphs_;
    cudaMemPool_t pool_ = nullptr;
    cudaStream_t unifying_stream_ = nullptr;
    AllocatorSettings settings_;
    std::uint64_t next_handle_ = 1;
    std::uint64_t next_graph_ = 1;
    std::uint64_t next_token_ = 0;
    std::map<std::uint64_t, Pointer> pointers_;
    std::size_t captures_ = 0;
    /// Freed during a capture, allocated outside: they wait for its end.
    std::vector<Pointer> deferred_;
    /// That a capture has freed on.
    std::vector<cudaStream_t> free_streams_;
    Bytes requested_;
    Bytes peak_requested_;
};

}  // namespace highwater::gpu
