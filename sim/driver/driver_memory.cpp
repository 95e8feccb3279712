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
    static constexpr std::array<std::string_view, 7> kNames{
        "context", "modules", "streams", "graphs", "graph memory nodes", "library", "collective"};
    return kNames.at(static_cast<std::size_t>(what));
}

DriverMemory::DriverMemory(MemoryProfile profile)
    : profile_(std::move(profile)), graphs_(profile_.graphs, profile_.granularity) {}

void DriverMemory::use_stream(StreamId stream) {
    if (stream != kDefaultStream) {
        streams_.insert(stream);
    }
}

void DriverMemory::instantiate(GraphExecId graph, const GraphExecShape& shape) {
    graphs_.instantiate(graph, shape);
}

void DriverMemory::destroy(GraphExecId graph) {
    graphs_.destroy(graph);
}

void DriverMemory::add(Named& all, const std::string& name, const FixedMemory& memory) {
    FixedMemory& sum = all[name];
    sum.bytes += memory.bytes;
    sum.error.absolute += memory.error.absolute;
    sum.error.relative = std::max(sum.error.relative, memory.error.relative);
    sum.source = memory.source;
}

void DriverMemory::add_library(const std::string& name, const FixedMemory& memory) {
    add(libraries_, name, memory);
}

void DriverMemory::add_collective(const std::string& name, const FixedMemory& memory) {
    add(collectives_, name, memory);
}

DriverTerm DriverMemory::streams() const {
    const StreamMemory& costs = profile_.streams;
    const Bytes bytes =
        in_steps(beyond(costs.each * streams_.size(), costs.in_context), profile_.granularity);
    return {What::kStreams, {}, bytes, costs.error.of(bytes), costs.source};
}

DriverTerm DriverMemory::graphs() const {
    const Bytes bytes = graphs_.taken();
    return {What::kGraphs, {}, bytes, profile_.graphs.error.of(bytes), profile_.graphs.source};
}

DriverTerm DriverMemory::memory_nodes() const {
    const MemoryNodeCosts& costs = profile_.memory_nodes;
    return {What::kMemoryNodes, {}, memory_nodes_, costs.error.of(memory_nodes_), costs.source};
}

void DriverMemory::list(What what, const Named& all, std::vector<DriverTerm>& terms) const {
    for (const auto& [name, memory] : all) {
        const Bytes bytes = in_steps(memory.bytes, profile_.granularity);
        terms.push_back({what, name, bytes, memory.error.of(bytes), memory.source});
    }
}

std::vector<DriverTerm> DriverMemory::terms() const {
    std::vector<DriverTerm> all{fixed(What::kContext, profile_.context)};
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
    list(What::kLibrary, libraries_, all);
    list(What::kCollective, collectives_, all);
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
