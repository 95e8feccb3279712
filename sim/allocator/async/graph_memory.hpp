#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "sim/allocator/async/address_range.hpp"
#include "sim/allocator/async/marked_size.hpp"
#include "sim/allocator/async/pool_profile.hpp"
#include "sim/allocator/async/stream_order.hpp"
#include "sim/core/address.hpp"

namespace highwater {

/// The memory of allocation nodes. Addresses are fixed when a node is captured and hold for the
/// graph's life; the pages behind them come with launches, from a pool of the device that no
/// cudaMemPool_t shows. Sources: around-allocator specification 8.3; CUDA programming guide, graph
/// memory nodes; measurements (README).
class GraphMemory {
  public:
    /// The ports outlive it.
    GraphMemory(const PoolProfile& profile,
                DeviceMemory& device,
                StreamOrder& order,
                CaptureRecorder& captures);

    /// cudaMallocAsync on a stream of the capture: an address that is free behind everything the
    /// stream's next operation depends on. No value if there is no address space. `size` is not 0.
    std::optional<Address> malloc(CaptureId graph, Bytes size, StreamId stream);
    /// cudaFreeAsync on a stream of the capture that allocated the address.
    void free(CaptureId graph, Address address, StreamId stream);
    /// cudaFreeAsync outside the capture that allocated the address.
    void free_outside(CaptureId graph, Address address);

    /// Before cudaGraphLaunch: puts pages behind the graph's addresses. Pages with something that
    /// the graph leaves allocated are its own; the others it shares with graphs whose launches are
    /// done, or come before in the stream. False if the device is out of memory.
    bool launch(CaptureId graph, StreamId stream);
    /// After it: the graph's work is in the stream.
    void launched(CaptureId graph, StreamId stream);
    /// cudaGraphExecDestroy. What the graph left allocated stays until `free_outside`.
    void destroy(CaptureId graph);
    /// cudaDeviceGraphMemTrim: pages that no launch under way needs go back.
    void trim();

    /// cudaGraphMemAttrReservedMem*. cudaGraphMemAttrUsedMem* were the same in all measurements.
    const MarkedSize& reserved() const { return reserved_; }
    /// Sets the high-water mark to what there is now.
    void reset_high_water_mark() { reserved_.reset(); }
    /// What the graph needs alone once it is launched, in whole pages.
    Bytes footprint(CaptureId graph) const;

  private:
    struct Block {
        Bytes size;
        bool live = false;
        /// Of a free block: the free nodes that must come before its next use.
        std::vector<NodeId> freed;
    };
    struct Graph {
        AddressRange addresses;
        /// They tile the graph's address space, which is whole pages.
        std::map<Address, Block> blocks;
        /// Pages of its own: 0 before the first launch.
        std::size_t own_pages = 0;
        bool is_launched = false;
        bool is_destroyed = false;
    };
    /// Neighbouring blocks that a request may have.
    struct Run {
        Address begin;
        Bytes size;
    };
    /// A page for all graphs.
    struct Page {
        /// Of the last launch that used it; the event is behind it.
        CaptureId graph{};
        StreamId stream{};
        std::optional<EventId> launched;
    };

    std::vector<Run> usable_runs(const Graph& graph, StreamId stream) const;
    std::optional<Run> extend(Graph& graph, const std::vector<Run>& runs, Bytes size);
    static void take(Graph& graph, Address begin, Bytes size);
    static Block& live_block(Graph& graph, Address address);
    std::size_t pages_of(const Graph& graph) const;
    std::size_t live_pages_of(const Graph& graph) const;
    void give_back_own_pages(CaptureId id);
    bool is_idle(const Page& page) const;
    std::vector<std::size_t> ready_pages(CaptureId graph, StreamId stream) const;
    bool add_pages(std::size_t count);
    void take_away(std::vector<std::size_t> places);

    PoolProfile profile_;
    DeviceMemory& device_;
    StreamOrder& order_;
    CaptureRecorder& captures_;
    std::map<CaptureId, Graph> graphs_;
    std::vector<Page> pages_;
    MarkedSize reserved_;
};

}  // namespace highwater
