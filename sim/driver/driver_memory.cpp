#include "sim/driver/driver_memory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace highwater {
namespace {

using What = DriverTerm::What;

DriverTerm fixed(What what, const FixedMemory& memory) {
    return {what, {}, memory.bytes, memory.error.of(memory.bytes), memory.source};
}

}  // namespace

std::string_view name_of(DriverTerm::What what) {
    static constexpr std::array<std::string_view, 8> kNames{"context",
                                                            "modules",
                                                            "streams",
                                                            "graphs",
                                                            "graph memory nodes",
                                                            "library",
                                                            "collective",
                                                            "other"};
    return kNames.at(static_cast<std::size_t>(what));
}

DriverMemory::DriverMemory(MemoryProfile profile)
    : profile_(std::move(profile)), graphs_(profile_.graphs, profile_.granularity) {}

void DriverMemory::use_stream(StreamId stream) {
    if (stream != kDefaultStream) {
        streams_.insert(stream);
    }
}

Bytes DriverMemory::growth_of_kernel(StreamId stream) const {
    const bool is_new = stream != kDefaultStream && !streams_.contains(stream);
    return (has_launched_ ? Bytes{} : profile_.modules.bytes) +
           bytes_of_streams(streams_.size() + (is_new ? 1 : 0)) - bytes_of_streams(streams_.size());
}

void DriverMemory::instantiate(GraphExecId graph, const GraphExecShape& shape) {
    graphs_.instantiate(graph, shape);
}

void DriverMemory::destroy(GraphExecId graph) {
    graphs_.destroy(graph);
}

void DriverMemory::add_library_nodes(const std::string& name, const FixedMemory& memory) {
    FixedMemory& known = library_nodes_[name];
    known.bytes = std::max(known.bytes, memory.bytes);
    known.error.absolute = std::max(known.error.absolute, memory.error.of(memory.bytes));
    known.source = memory.source;
}

void DriverMemory::add(const Owner& owner, const FixedMemory& memory) {
    FixedMemory& sum = owners_[owner];
    sum.bytes += memory.bytes;
    sum.error.absolute += memory.error.absolute;
    sum.error.relative = std::max(sum.error.relative, memory.error.relative);
    sum.source = memory.source;
}

Bytes DriverMemory::growth(const Owner& owner, Bytes more) const {
    const auto found = owners_.find(owner);
    const Bytes now = found == owners_.end() ? Bytes{} : found->second.bytes;
    return in_steps(now + more, profile_.granularity) - in_steps(now, profile_.granularity);
}

bool DriverMemory::remove(const std::string& name) {
    return std::erase_if(owners_, [&](const auto& each) { return each.first.name == name; }) > 0;
}

Bytes DriverMemory::bytes_of_streams(std::size_t count) const {
    const StreamMemory& costs = profile_.streams;
    return in_steps(beyond(costs.each * count, costs.in_context), profile_.granularity);
}

DriverTerm DriverMemory::streams() const {
    const StreamMemory& costs = profile_.streams;
    const Bytes bytes = bytes_of_streams(streams_.size());
    return {What::kStreams, {}, bytes, costs.error.of(bytes), costs.source};
}

DriverTerm DriverMemory::graphs() const {
    const Bytes bytes = graphs_.taken();
    return {What::kGraphs, {}, bytes, profile_.graphs.error.of(bytes), profile_.graphs.source};
}

DriverTerm DriverMemory::memory_nodes() const {
    const MemoryNodeCosts& costs = profile_.memory_nodes;
    DriverTerm made{
        What::kMemoryNodes, {}, memory_nodes_, costs.error.of(memory_nodes_), costs.source};
    for (const auto& [name, memory] : library_nodes_) {
        made.name += (made.name.empty() ? "" : ", ") + name;
        made.source += (made.source.empty() ? "" : "; ") + memory.source;
        made.error += memory.error.absolute;
    }
    return made;
}

DriverTerm DriverMemory::term(const Owner& owner, const FixedMemory& memory) const {
    const Bytes bytes = in_steps(memory.bytes, profile_.granularity);
    return {owner.what, owner.name, bytes, memory.error.of(bytes), memory.source};
}

std::vector<DriverTerm> DriverMemory::terms() const {
    std::vector<DriverTerm> all;
    if (profile_.context != FixedMemory{}) {
        all.push_back(fixed(What::kContext, profile_.context));
    }
    if (has_launched_) {
        all.push_back(fixed(What::kModules, profile_.modules));
    }
    if (!streams_.empty()) {
        all.push_back(streams());
    }
    if (graphs_.has_instantiated()) {
        all.push_back(graphs());
    }
    if (memory_nodes_ > Bytes{0}) {
        all.push_back(memory_nodes());
    }
    for (const auto& [owner, memory] : owners_) {
        all.push_back(term(owner, memory));
    }
    return all;
}

Bytes DriverMemory::total() const {
    const std::vector<DriverTerm> all = terms();
    return std::accumulate(all.begin(), all.end(), Bytes{}, [](Bytes sum, const DriverTerm& term) {
        return sum + term.bytes;
    });
}

Bytes DriverMemory::error() const {
    const std::vector<DriverTerm> all = terms();
    return std::accumulate(all.begin(), all.end(), Bytes{}, [](Bytes sum, const DriverTerm& term) {
        return sum + term.error;
    });
}

}  // namespace highwater
