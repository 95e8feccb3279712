#include "sim/allocator/async/graph_memory.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "sim/core/check.hpp"

namespace highwater {

GraphMemory::GraphMemory(const PoolProfile& profile,
                         DeviceMemory& device,
                         StreamOrder& order,
                         CaptureRecorder& captures)
    : profile_(profile), device_(device), order_(order), captures_(captures) {}

// The lowest of the smallest runs that serve.
std::optional<Address> GraphMemory::malloc(CaptureId id, Bytes requested, StreamId stream) {
    Graph& graph =
        graphs_.try_emplace(id, Graph{AddressRange(profile_, device_), {}}).first->second;
    const Bytes size = round_up(requested, profile_.alignment);
    const std::vector<Run> runs = usable_runs(graph, stream);
    std::optional<Run> best;
    for (const Run& run : runs) {
        if (run.size >= size && (!best || run.size < best->size)) {
            best = run;
        }
    }
    if (!best) {
        best = extend(graph, runs, size);
    }
    if (!best) {
        return std::nullopt;
    }
    take(graph, best->begin, size);
    captures_.add_allocation(stream);
    return best->begin;
}

// Neighbours freed by different nodes serve as one, where the stream is behind both.
std::vector<GraphMemory::Run> GraphMemory::usable_runs(const Graph& graph, StreamId stream) const {
    std::vector<Run> runs;
    for (const auto& [address, block] : graph.blocks) {
        if (block.live || !captures_.all_reached(block.freed, stream)) {
            continue;
        }
        if (runs.empty() || runs.back().begin + runs.back().size != address) {
            runs.push_back({address, Bytes{}});
        }
        runs.back().size += block.size;
    }
    return runs;
}

// What is free at the end serves with the pages that follow on it.
std::optional<GraphMemory::Run> GraphMemory::extend(Graph& graph,
                                                    const std::vector<Run>& runs,
                                                    Bytes size) {
    const auto last = graph.blocks.empty() ? graph.blocks.end() : std::prev(graph.blocks.end());
    const Address end = graph.blocks.empty() ? Address{} : last->first + last->second.size;
    const auto at = graph.addresses.follow(end, round_up(size, profile_.page));
    if (!at) {
        return std::nullopt;
    }
    const bool extends = at == end && !runs.empty() && runs.back().begin + runs.back().size == end;
    const Run have = extends ? runs.back() : Run{*at, Bytes{}};
    const Bytes more = round_up(size - have.size, profile_.page);
    graph.blocks[*at].size = more;
    return Run{have.begin, have.size + more};
}

void GraphMemory::take(Graph& graph, Address begin, Bytes size) {
    const Address end = begin + size;
    auto at = graph.blocks.find(begin);
    while (at != graph.blocks.end() && at->first < end) {
        const Address block_end = at->first + at->second.size;
        if (block_end > end) {
            graph.blocks[end] = {.size = block_end - end, .live = false, .freed = at->second.freed};
        }
        at = graph.blocks.erase(at);
    }
    graph.blocks[begin] = {.size = size, .live = true, .freed = {}};
}

GraphMemory::Block& GraphMemory::live_block(Graph& graph, Address address) {
    const auto found = graph.blocks.find(address);
    check(found != graph.blocks.end() && found->second.live, "what is freed was handed out");
    return found->second;
}

void GraphMemory::free(CaptureId graph, Address address, StreamId stream) {
    Block& block = live_block(graphs_.at(graph), address);
    block.freed = {captures_.add_free(stream)};
    block.live = false;
}

void GraphMemory::free_outside(CaptureId id, Address address) {
    live_block(graphs_.at(id), address).live = false;
    give_back_own_pages(id);
}

void GraphMemory::destroy(CaptureId id) {
    const auto graph = graphs_.find(id);
    if (graph != graphs_.end()) {
        graph->second.is_destroyed = true;
        give_back_own_pages(id);
    }
}

// Pages that nothing is left allocated in are for all graphs. A graph that is gone and owns none is
// forgotten.
void GraphMemory::give_back_own_pages(CaptureId id) {
    Graph& graph = graphs_.at(id);
    const std::size_t live = live_pages_of(graph);
    if (graph.is_launched) {
        pages_.resize(pages_.size() + graph.own_pages - live);
        graph.own_pages = live;
    }
    if (graph.is_destroyed && live == 0) {
        graphs_.erase(id);
    }
}

bool GraphMemory::launch(CaptureId id, StreamId stream) {
    const auto found = graphs_.find(id);
    if (found == graphs_.end()) {
        return true;
    }
    Graph& graph = found->second;
    const std::size_t live = live_pages_of(graph);
    const std::size_t own = live - graph.own_pages;
    const std::size_t shared = pages_of(graph) - live;
    const std::size_t ready = ready_pages(id, stream).size();
    if (own + shared > ready && !add_pages(own + shared - ready)) {
        return false;
    }
    std::vector<std::size_t> given = ready_pages(id, stream);
    for (std::size_t i = 0; i < shared; ++i) {
        pages_[given[i]] = {id, stream, std::nullopt};
    }
    given.erase(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(shared));
    given.resize(own);
    take_away(given);
    graph.own_pages = live;
    graph.is_launched = true;
    return true;
}

void GraphMemory::launched(CaptureId id, StreamId stream) {
    std::optional<EventId> event;
    for (Page& page : pages_) {
        if (page.graph == id && page.stream == stream) {
            event = event ? event : order_.record(stream);
            page.launched = event;
        }
    }
}

void GraphMemory::trim() {
    std::vector<std::size_t> idle;
    for (std::size_t i = 0; i < pages_.size(); ++i) {
        if (is_idle(pages_[i])) {
            idle.push_back(i);
        }
    }
    const Bytes size = profile_.page * idle.size();
    take_away(idle);
    reserved_.subtract(size);
    device_.unmap(Address{}, size);
}

bool GraphMemory::is_idle(const Page& page) const {
    return !page.launched || order_.completed(*page.launched);
}

// Those that the graph had last come first: the others then keep theirs.
std::vector<std::size_t> GraphMemory::ready_pages(CaptureId graph, StreamId stream) const {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < pages_.size(); ++i) {
        if (pages_[i].stream == stream || is_idle(pages_[i])) {
            ready.push_back(i);
        }
    }
    std::stable_partition(
        ready.begin(), ready.end(), [&](std::size_t i) { return pages_[i].graph == graph; });
    return ready;
}

// Physical pages: the addresses that they come to lie behind are the graphs'.
bool GraphMemory::add_pages(std::size_t count) {
    const Bytes size = profile_.page * count;
    if (!device_.map(Address{}, size)) {
        return false;
    }
    reserved_.add(size);
    pages_.resize(pages_.size() + count);
    return true;
}

void GraphMemory::take_away(std::vector<std::size_t> places) {
    std::ranges::sort(places, std::greater<>());
    for (const std::size_t place : places) {
        pages_.erase(pages_.begin() + static_cast<std::ptrdiff_t>(place));
    }
}

Bytes GraphMemory::footprint(CaptureId id) const {
    const auto graph = graphs_.find(id);
    return graph == graphs_.end() ? Bytes{} : profile_.page * pages_of(graph->second);
}

std::size_t GraphMemory::pages_of(const Graph& graph) const {
    Bytes size;
    for (const auto& [address, block] : graph.blocks) {
        size += block.size;
    }
    return size / profile_.page;
}

std::size_t GraphMemory::live_pages_of(const Graph& graph) const {
    std::size_t count = 0;
    Address counted;
    for (const auto& [address, block] : graph.blocks) {
        const Address begin = std::max(counted, align_down(address, profile_.page));
        const Address end = align_up(address + block.size, profile_.page);
        if (block.live && begin < end) {
            count += (end - begin) / profile_.page;
            counted = end;
        }
    }
    return count;
}

}  // namespace highwater
