#include "sim/allocator/async/graph_memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/core/check.hpp"

namespace highwater {

GraphMemory::GraphMemory(const PoolProfile& profile,
                         DeviceMemory& device,
                         CaptureRecorder& captures)
    : profile_(profile), device_(device), captures_(captures) {}

std::optional<Address> GraphMemory::malloc(CaptureId id, Bytes requested, StreamId stream) {
    Graph& graph = graphs_[id];
    const Bytes size = round_up(requested, profile_.alignment);
    Run run = smallest_run(graph, size, stream);
    if (run.segment == nullptr) {
        run = add_segment(graph, size);
    }
    if (run.segment == nullptr) {
        return std::nullopt;
    }
    take(run, size);
    captures_.add_allocation(stream);
    return run.address;
}

// Neighbours freed by different nodes serve as one, where the stream is behind both.
std::vector<GraphMemory::Run> GraphMemory::usable_runs(Segment& segment, StreamId stream) const {
    std::vector<Run> runs;
    bool is_open = false;
    for (const auto& [address, block] : segment.blocks) {
        const bool is_usable = !block.live && captures_.all_reached(block.freed, stream);
        if (is_usable && !is_open) {
            runs.push_back({&segment, address, Bytes{}});
        }
        if (is_usable) {
            runs.back().size += block.size;
        }
        is_open = is_usable;
    }
    return runs;
}

// The lowest of the smallest that serve.
GraphMemory::Run GraphMemory::smallest_run(Graph& graph, Bytes size, StreamId stream) const {
    Run best;
    for (auto& [address, segment] : graph.segments) {
        for (const Run& run : usable_runs(segment, stream)) {
            if (run.size >= size && (best.segment == nullptr || run.size < best.size)) {
                best = run;
            }
        }
    }
    return best;
}

GraphMemory::Run GraphMemory::add_segment(Graph& graph, Bytes least) {
    const Bytes size = round_up(least, profile_.step);
    const std::optional<Address> address = device_.reserve(size);
    if (!address) {
        return {};
    }
    Segment& segment = graph.segments[*address];
    segment.size = size;
    segment.blocks[*address].size = size;
    return {&segment, *address, size};
}

void GraphMemory::take(const Run& run, Bytes size) {
    std::map<Address, Block>& blocks = run.segment->blocks;
    const Address end = run.address + size;
    auto at = blocks.find(run.address);
    while (at != blocks.end() && at->first < end) {
        const Address block_end = at->first + at->second.size;
        if (block_end > end) {
            blocks[end] = {.size = block_end - end, .live = false, .freed = at->second.freed};
        }
        at = blocks.erase(at);
    }
    blocks[run.address] = {.size = size, .live = true, .freed = {}};
}

GraphMemory::Block& GraphMemory::live_block(Graph& graph, Address address) {
    const auto segment = std::prev(graph.segments.upper_bound(address));
    Block& block = segment->second.blocks.at(address);
    check(block.live, "what is freed was handed out");
    return block;
}

void GraphMemory::free(CaptureId graph, Address address, StreamId stream) {
    Block& block = live_block(graphs_.at(graph), address);
    block.freed = {captures_.add_free(stream)};
    block.live = false;
}

void GraphMemory::free_outside(CaptureId id, Address address) {
    Graph& graph = graphs_.at(id);
    live_block(graph, address).live = false;
    if (graph.is_destroyed && size_of(graph, Holding::kLive) == Bytes{}) {
        graphs_.erase(id);
    }
    used_.set(needed());
}

bool GraphMemory::launch(CaptureId id, StreamId stream) {
    const auto graph = graphs_.find(id);
    if (graph == graphs_.end() || graph->second.launched_in == stream) {
        return true;
    }
    const auto before = std::exchange(graph->second.launched_in, stream);
    const Bytes used = needed();
    if (used > reserved_.current && !device_.map(Address{}, used - reserved_.current)) {
        graph->second.launched_in = before;
        return false;
    }
    used_.set(used);
    reserved_.set(std::max(used, reserved_.current));
    return true;
}

void GraphMemory::destroy(CaptureId id) {
    const auto graph = graphs_.find(id);
    if (graph == graphs_.end()) {
        return;
    }
    graph->second.is_destroyed = true;
    if (size_of(graph->second, Holding::kLive) == Bytes{}) {
        graphs_.erase(graph);
    }
    used_.set(needed());
}

void GraphMemory::trim() {
    device_.unmap(Address{}, reserved_.current - used_.current);
    reserved_.set(used_.current);
}

Bytes GraphMemory::footprint(CaptureId id) const {
    const auto graph = graphs_.find(id);
    return graph == graphs_.end()
               ? Bytes{}
               : size_of(graph->second, Holding::kLive) + size_of(graph->second, Holding::kFreed);
}

Bytes GraphMemory::size_of(const Graph& graph, Holding holding) {
    Bytes size;
    for (const auto& [address, segment] : graph.segments) {
        const bool is_live = std::ranges::any_of(
            segment.blocks, [](const auto& entry) { return entry.second.live; });
        if (is_live == (holding == Holding::kLive)) {
            size += segment.size;
        }
    }
    return size;
}

// Graphs of one stream never overlap: what each has freed at its end, the next may have.
Bytes GraphMemory::needed() const {
    Bytes live;
    std::map<StreamId, Bytes> shared;
    for (const auto& [id, graph] : graphs_) {
        if (!graph.launched_in) {
            continue;
        }
        live += size_of(graph, Holding::kLive);
        if (!graph.is_destroyed) {
            Bytes& size = shared[*graph.launched_in];
            size = std::max(size, size_of(graph, Holding::kFreed));
        }
    }
    for (const auto& [stream, size] : shared) {
        live += size;
    }
    return live;
}

void GraphMemory::reset_high_water_marks() {
    used_.reset();
    reserved_.reset();
}

}  // namespace highwater
