// What a context, its streams and graph memory nodes take, against an H200.
#include <set>

#include "sim/driver/driver_memory.hpp"
#include "tests/allocator/async/support.hpp"
#include "tests/driver/recorded_rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater::test {

namespace {

using nlohmann::json;

constexpr StreamId kMain{1};
constexpr CaptureId kGraph{1};

// A capture on the stream `kMain`.
struct MemoryGraph {
    MemoryGraph() { captures.captures.begin(kGraph, kMain); }

    Address malloc(Bytes size, StreamId stream = kMain) {
        const auto address = memory.malloc(kGraph, size, stream);
        REQUIRE(address);
        addresses.insert(*address);
        return *address;
    }
    Bytes reserved_by_launch() {
        captures.captures.end(kMain);
        CHECK(memory.reserved().current == Bytes{});
        REQUIRE(memory.launch(kGraph, kMain));
        return memory.reserved().current;
    }

    AscendingMemory device{Bytes{std::uint64_t{80} << 30U}};
    ManualOrder order;
    RecordedCaptures captures;
    GraphMemory memory{
        PoolProfile{.page = recorded_profile().memory.memory_nodes.step}, device, order, captures};
    std::set<Address> addresses;
};

// In each layer memory is allocated and freed on a branch, which the main stream joins before the
// next layer.
class Layers {
  public:
    // Mode 0: on the main stream. 1: on the main stream and a branch at once. 2: on one side
    // stream. 3: on a side stream of the layer's own.
    Layers(MemoryGraph& graph, const json& row)
        : graph_(graph),
          mode_(row.at("mode")),
          size_{Bytes{1U << 20} * row.at("mib").get<std::uint64_t>()} {
        for (int layer = 0; layer < row.at("layers"); ++layer) {
            add(layer);
        }
    }

  private:
    void add(int layer) {
        constexpr int kChain = 0;
        constexpr int kTwoAtOnce = 1;
        constexpr int kSidePerLayer = 3;
        const StreamId side{mode_ == kSidePerLayer ? 2 + static_cast<std::uint32_t>(layer) : 2};
        if (mode_ != kChain) {
            graph_.captures.join(side, kMain);
            temporary(side);
        }
        if (mode_ == kChain || mode_ == kTwoAtOnce) {
            temporary(kMain);
        }
        if (mode_ != kChain) {
            graph_.captures.join(kMain, side);
        }
    }

    void temporary(StreamId stream) {
        graph_.memory.free(kGraph, graph_.malloc(size_, stream), stream);
    }

    MemoryGraph& graph_;
    int mode_;
    Bytes size_;
};

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
        memory.add({DriverTerm::What::kLibrary, "workspace"}, {size, {}, "a test"});
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
        MemoryGraph graph;
        const Layers layers(graph, row);
        CHECK(graph.addresses.size() == row.at("unique"));
        CHECK(graph.reserved_by_launch() == measured_high(row));
    }
}

TEST_CASE("allocations of a graph that are alive at once reserve what was measured", "[measured]") {
    constexpr Bytes kMiB{1U << 20};
    for (const json& row : recorded_rows("graph-memory-nodes.jsonl")) {
        INFO(row.dump());
        MemoryGraph graph;
        for (int i = 0; i < row.at("alive"); ++i) {
            graph.malloc(kMiB * row.at("mib").get<std::uint64_t>());
        }
        CHECK(graph.reserved_by_launch() == kMiB * row.at("reserved_mib").get<std::uint64_t>());
    }
}

}  // namespace highwater::test
