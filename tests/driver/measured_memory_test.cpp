// What a context, its streams and graph memory nodes take, against an H200.
#include <optional>

#include "sim/driver/driver_memory.hpp"
#include "sim/driver/graph_memory_nodes.hpp"
#include "tests/driver/recorded_rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater::test {

namespace {

using nlohmann::json;

// In each layer memory is allocated, used by a kernel and freed on a branch, which the main stream
// joins before the next layer.
struct MemoryLayers {
    CaptureGraph graph;
    std::vector<GraphAllocation> allocations;

    GraphVertex branch(const std::vector<GraphVertex>& before, Bytes size) {
        const GraphVertex alloc = append(graph, {.kind = NodeKind::kMemAlloc}, before);
        const GraphVertex kernel = append(graph, {}, {alloc});
        const GraphVertex free = append(graph, {.kind = NodeKind::kMemFree}, {kernel});
        allocations.push_back({alloc, free, size});
        return free;
    }
};

// Mode 0: on the main stream. 1: on two branches at once. 2: on one side stream, which goes on from
// its own last work as well. 3: on a side stream of the layer's own.
MemoryLayers graph_of(const json& row) {
    constexpr int kChain = 0;
    constexpr int kTwoAtOnce = 1;
    constexpr int kOneSide = 2;
    const int mode = row.at("mode");
    const Bytes size = Bytes{1U << 20} * row.at("mib").get<std::uint64_t>();
    MemoryLayers made;
    GraphVertex main = append(made.graph, {}, {});
    std::optional<GraphVertex> side;
    for (int layer = 0; layer < row.at("layers"); ++layer) {
        std::vector<GraphVertex> before{main};
        if (mode == kOneSide && side) {
            before.push_back(*side);
        }
        side = made.branch(before, size);
        const GraphVertex other = mode == kTwoAtOnce ? made.branch({main}, size) : main;
        main =
            append(made.graph, {}, mode == kChain ? std::vector{*side} : std::vector{*side, other});
    }
    return made;
}

Bytes measured_high(const json& row) {
    return bytes_in(row, "reserved_high");
}

}  // namespace

TEST_CASE("a context and its first kernel take what was measured", "[measured]") {
    DriverMemory memory(recorded_profile().memory);
    CHECK(memory.total() ==
          bytes_in(recorded_rows("driver.jsonl", "device").at(0), "used_after_context"));
    memory.launch_kernel();
    CHECK(memory.total() ==
          bytes_in(recorded_rows("driver.jsonl", "after_first_kernel").at(0), "used"));
}

TEST_CASE("64 streams take what was measured, one after the other", "[measured]") {
    DriverMemory memory(recorded_profile().memory);
    const Bytes context = memory.total();
    Score score(recorded_profile().memory.streams.error);
    std::uint32_t stream = 0;
    const json row = recorded_rows("driver.jsonl", "streams").at(0);
    for (const json& measured : row.at("delta")) {
        memory.use_stream(StreamId{++stream});
        score.add(
            std::to_string(stream), memory.total() - context, Bytes{measured.get<std::uint64_t>()});
    }
    WARN(score.text());
    CHECK(score.share_met() == 1);
}

TEST_CASE("a library's memory shows in the steps in which cudaMalloc's does", "[measured]") {
    for (const json& row : recorded_rows("driver.jsonl", "malloc_delta")) {
        const Bytes size = Bytes{1U << 10} * row.at("kib").get<std::uint64_t>();
        DriverMemory memory(recorded_profile().memory);
        const Bytes context = memory.total();
        memory.add_library("workspace", {size, {}, "a test"});
        INFO(row.dump());
        // What is smaller than a page shows when a page is full; a page is the most it can be.
        const Bytes page = recorded_profile().memory.granularity;
        CHECK(memory.total() - context == (size < page ? page : bytes_in(row, "delta")));
    }
}

TEST_CASE("graph memory nodes have the addresses and the reserve that were measured",
          "[measured]") {
    for (const json& row : recorded_rows("driver.jsonl", "graph_mem_nodes")) {
        INFO(row.dump());
        const MemoryLayers layers = graph_of(row);
        const GraphMemoryLayout layout = lay_out_memory_nodes(layers.graph, layers.allocations);
        CHECK(layout.distinct_addresses() == row.at("unique"));

        DriverMemory memory(recorded_profile().memory);
        const GraphExecId graph{1};
        memory.instantiate(graph, exec_shape_of(layers.graph));
        const Bytes instantiated = memory.total();
        memory.launch_memory_nodes(graph, kDefaultStream, layout.needed);
        CHECK(memory.total() - instantiated == measured_high(row));
    }
}

TEST_CASE("allocations of a graph that are alive at once reserve what was measured", "[measured]") {
    constexpr Bytes kMiB{1U << 20};
    const MemoryNodeCosts costs = recorded_profile().memory.memory_nodes;
    for (const json& row : recorded_rows("graph-memory-nodes.jsonl")) {
        INFO(row.dump());
        CaptureGraph graph = chain(row.at("alive"));
        std::vector<GraphAllocation> allocations;
        for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
            graph[node].kind = NodeKind::kMemAlloc;
            allocations.push_back({node, {}, kMiB * row.at("mib").get<std::uint64_t>()});
        }
        const Bytes needed = lay_out_memory_nodes(graph, allocations).needed;
        CHECK(in_steps(needed, costs.step) == kMiB * row.at("reserved_mib").get<std::uint64_t>());
    }
}

}  // namespace highwater::test
