#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/card.hpp"
#include "sim/allocator/memory_stats.hpp"
#include "sim/allocator/settings.hpp"
#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/capture/capture_graph.hpp"

namespace highwater::gpu {

/// Memory handed out. `token` is the backend's own.
struct Memory {
    Address address;
    Bytes size;
    std::uint64_t token = 0;
};

/// Out of memory, in the allocator's words.
struct NoMemory {
    std::string message;
};

using Taken = std::variant<Memory, NoMemory>;

/// What of Programs a backend has no counterpart for.
struct Abilities {
    /// MemPool, use_mem_pool, and pool handles that captures share.
    bool pools = true;
    /// Noting a pool's state and setting it back.
    bool pool_states = true;
    bool no_caching = true;
    bool blocking_launches = true;
    /// The backend cudaMallocAsync of PyTorch's settings.
    bool async_settings = true;
};

/// Who hands out memory, captures and replays. Calls throw `RefusedError` where the framework or
/// CUDA gives an error.
class MemoryBackend {
  public:
    virtual ~MemoryBackend() = default;

    virtual Abilities abilities() const = 0;
    /// "PyTorch 2.11.0"; empty where there is none.
    virtual std::string framework() const = 0;

    /// `size` is not 0.
    virtual Taken malloc(Bytes size, StreamId stream, ThreadId thread) = 0;
    virtual void free(const Memory& memory) = 0;
    virtual void record_stream(const Memory& memory, StreamId stream) = 0;
    virtual void empty_cache() = 0;
    virtual void apply_settings(const std::string& conf) = 0;
    virtual void set_memory_fraction(double fraction) = 0;
    virtual void reset_peaks() = 0;
    virtual MemoryStats stats() = 0;
    /// What it may reserve, if that is less than the card has.
    virtual std::optional<Bytes> limit() = 0;
    /// Figures that only this backend has, by name.
    virtual std::vector<std::pair<std::string, std::uint64_t>> figures() { return {}; }
    /// By address; streams are the Program's.
    virtual std::vector<SegmentInfo> segments() = 0;
    virtual const AllocatorSettings& settings() const = 0;
    /// Null for none. Not all backends have events to give.
    virtual void set_trace(TraceSink* sink) = 0;

    virtual PoolId make_pool_handle() = 0;
    virtual PoolId create_pool(bool use_on_oom, bool no_split) = 0;
    virtual void destroy_pool(PoolId pool) = 0;
    virtual void enter_pool(PoolId pool, ThreadId thread) = 0;
    virtual void leave_pool(PoolId pool) = 0;
    virtual void save_pool(PoolId pool, const std::string& name) = 0;
    /// `live` is the memory of tensors that are alive. Gives what each is now, by place; no value
    /// for one that was in the pool and has no memory any more.
    virtual std::vector<std::optional<Memory>> restore_pool(const std::string& name,
                                                            const std::vector<Memory>& live) = 0;

    /// Gives the pool that the capture's allocations go to.
    virtual PoolId begin_capture(GraphId graph,
                                 StreamId stream,
                                 std::optional<PoolId> pool,
                                 CaptureMode mode) = 0;
    /// With `current` as the current stream. The graph as the driver has it.
    virtual CaptureGraph end_capture(GraphId graph, StreamId current) = 0;
    virtual void instantiate(GraphId graph) = 0;
    virtual void replay(GraphId graph, StreamId stream) = 0;
    virtual void destroy_graph(GraphId graph) = 0;
};

/// A way to run Programs on a card.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual Card& card() = 0;
    virtual MemoryBackend& memory() = 0;
};

}  // namespace highwater::gpu
