#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/allocator/async/marked_size.hpp"
#include "sim/allocator/async/pool_profile.hpp"
#include "sim/allocator/async/stream_order.hpp"
#include "sim/core/address.hpp"

namespace highwater {

/// The memory of allocation nodes. Addresses are fixed when a node is captured and hold for the
/// graph's life; the memory behind them comes with the first launch, from a pool of the device that
/// no cudaMemPool_t shows. Source: around-allocator specification 8.3.
class GraphMemory {
  public:
    /// The ports outlive it.
    GraphMemory(const PoolProfile& profile, DeviceMemory& device, CaptureRecorder& captures);

    /// cudaMallocAsync on a stream of the capture: an address that is free behind everything the
    /// stream's next operation depends on. No value if there is no address space. `size` is not 0.
    std::optional<Address> malloc(CaptureId graph, Bytes size, StreamId stream);
    /// cudaFreeAsync on a stream of the capture that allocated the address.
    void free(CaptureId graph, Address address, StreamId stream);
    /// cudaFreeAsync outside the capture that allocated the address.
    void free_outside(CaptureId graph, Address address);

    /// cudaGraphLaunch: backs the graph's addresses with memory. Graphs launched in one stream
    /// share what they have freed at their end. False if the device is out of memory.
    bool launch(CaptureId graph, StreamId stream);
    /// cudaGraphExecDestroy. What the graph never freed stays until `free_outside`.
    void destroy(CaptureId graph);
    /// cudaDeviceGraphMemTrim.
    void trim();

    /// cudaGraphMemAttrUsedMem*: behind the addresses of at least one graph.
    const MarkedSize& used() const { return used_; }
    /// cudaGraphMemAttrReservedMem*.
    const MarkedSize& reserved() const { return reserved_; }
    /// Sets both high-water marks to what there is now.
    void reset_high_water_marks();
    /// Address space of the graph, in whole steps: what it needs alone once it is launched.
    Bytes footprint(CaptureId graph) const;

  private:
    struct Block {
        Bytes size;
        bool live = false;
        /// Of a free block: the free nodes that must come before its next use.
        std::vector<NodeId> freed;
    };
    struct Segment {
        Bytes size;
        /// They tile it.
        std::map<Address, Block> blocks;
    };
    struct Graph {
        std::map<Address, Segment> segments;
        /// Of the last launch: before the first the graph holds no memory.
        std::optional<StreamId> launched_in;
        bool is_destroyed = false;
    };
    /// Segments in which something was left allocated at the graph's end, and all others.
    enum class Holding { kLive, kFreed };
    struct Run {
        Segment* segment = nullptr;
        Address address;
        Bytes size;
    };

    std::vector<Run> usable_runs(Segment& segment, StreamId stream) const;
    Run smallest_run(Graph& graph, Bytes size, StreamId stream) const;
    Run add_segment(Graph& graph, Bytes least);
    static void take(const Run& run, Bytes size);
    static Block& live_block(Graph& graph, Address address);
    static Bytes size_of(const Graph& graph, Holding holding);
    Bytes needed() const;

    PoolProfile profile_;
    DeviceMemory& device_;
    CaptureRecorder& captures_;
    std::map<CaptureId, Graph> graphs_;
    MarkedSize used_;
    MarkedSize reserved_;
};

}  // namespace highwater
