// Allocation and free nodes: addresses while capturing, memory at launches (around-allocator
// specification 8.3). What is tagged [measured] was, on an H200 with driver 580.
#include <set>
#include <vector>

#include "tests/allocator/async/support.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamId kOrigin{1};
constexpr StreamId kSide{2};
constexpr StreamId kElsewhere{3};
constexpr CaptureId kGraph{1};
constexpr CaptureId kSecond{2};

struct Graphs {
    explicit Graphs(Bytes card = 80_GiB) : device(card) { begin(kGraph); }

    void begin(CaptureId graph) {
        under_way = graph;
        captures.captures.begin(graph, kOrigin);
    }
    void end() { captures.captures.end(kOrigin); }
    Address malloc(Bytes size, StreamId stream = kOrigin) {
        const auto address = memory.malloc(under_way, size, stream);
        REQUIRE(address);
        return *address;
    }
    void free(Address address, StreamId stream = kOrigin) {
        memory.free(under_way, address, stream);
    }
    // A graph that allocates and, if it is to, frees.
    Address capture(CaptureId graph, Bytes size, bool frees) {
        begin(graph);
        const Address address = malloc(size);
        if (frees) {
            free(address);
        }
        end();
        return address;
    }
    bool launch(CaptureId graph, StreamId stream = kOrigin) {
        const bool has_memory = memory.launch(graph, stream);
        if (has_memory) {
            memory.launched(graph, stream);
        }
        return has_memory;
    }
    Bytes reserved() const { return memory.reserved().current; }

    AscendingMemory device;
    RecordedCaptures captures;
    ManualOrder order;
    GraphMemory memory{PoolProfile{}, device, order, captures};
    CaptureId under_way{};
};

}  // namespace

TEST_CASE("a node takes the address of one that was freed before it in the graph",
          "[async][measured]") {
    Graphs g;
    std::set<std::uint64_t> addresses;
    for (int layer = 0; layer < 16; ++layer) {
        const Address temporary = g.malloc(8_MiB);
        addresses.insert(temporary.value);
        g.free(temporary);
    }
    g.end();
    CHECK(addresses.size() == 1);
    CHECK(g.memory.footprint(kGraph) == 32_MiB);
}

TEST_CASE("a free in a branch serves only behind the join", "[async][measured]") {
    Graphs g;
    g.malloc(1_MiB);
    g.captures.join(kSide, kOrigin);
    const Address side = g.malloc(8_MiB, kSide);
    g.free(side, kSide);
    const Address beside = g.malloc(8_MiB);
    CHECK(beside != side);
    g.free(beside);
    g.captures.join(kOrigin, kSide);
    const Address behind_both = g.malloc(16_MiB);
    CHECK(behind_both == std::min(side, beside));
    g.free(behind_both);
    g.end();
    CHECK(g.memory.footprint(kGraph) == 32_MiB);
}

TEST_CASE("the smallest range that serves is taken, and what is left serves on", "[async]") {
    Graphs g;
    const Address wide = g.malloc(16_MiB);
    g.malloc(1_MiB);
    const Address narrow = g.malloc(4_MiB);
    g.malloc(1_MiB);
    g.free(wide);
    g.free(narrow);
    CHECK(g.malloc(3_MiB) == narrow);
    CHECK(g.malloc(1_MiB) == narrow + 3_MiB);
    CHECK(g.malloc(11_MiB) == wide);
}

TEST_CASE("memory comes with the first launch, in pages, and stays until it is trimmed",
          "[async][measured]") {
    // Allocations of MiB, all alive together; MiB reserved.
    const auto [count, size, reserved] = GENERATE(table<int, Bytes, Bytes>({
        {1, 8_MiB, 32_MiB},
        {4, 8_MiB, 32_MiB},
        {5, 8_MiB, 64_MiB},
        {1, 40_MiB, 64_MiB},
        {1, 33_MiB, 64_MiB},
        {1, 1_MiB, 32_MiB},
        {1, 32_MiB, 32_MiB},
        {2, 20_MiB, 64_MiB},
        {3, 12_MiB, 64_MiB},
    }));
    Graphs g;
    std::vector<Address> alive;
    for (int i = 0; i < count; ++i) {
        alive.push_back(g.malloc(size));
    }
    for (const Address address : alive) {
        g.free(address);
    }
    g.end();
    CHECK(g.reserved() == 0_B);
    CHECK(g.device.free_bytes() == 80_GiB);
    for (const StreamId stream : {kOrigin, kOrigin, kElsewhere}) {
        REQUIRE(g.launch(kGraph, stream));
        CHECK(g.reserved() == reserved);
        CHECK(g.device.free_bytes() == 80_GiB - reserved);
    }
    g.memory.destroy(kGraph);
    CHECK(g.reserved() == reserved);
    g.memory.trim();
    CHECK(g.reserved() == 0_B);
    CHECK(g.memory.reserved().high == reserved);
    CHECK(g.device.free_bytes() == 80_GiB);
}

TEST_CASE("graphs share pages unless they are at work in two streams", "[async][measured]") {
    Graphs g;
    g.end();
    g.capture(kGraph, 16_MiB, true);
    g.capture(kSecond, 16_MiB, true);
    REQUIRE(g.launch(kGraph));
    REQUIRE(g.launch(kSecond));
    REQUIRE(g.launch(kSecond, kElsewhere));
    REQUIRE(g.launch(kGraph));
    CHECK(g.reserved() == 32_MiB);
    g.order.is_idle = false;
    REQUIRE(g.launch(kGraph));
    CHECK(g.reserved() == 32_MiB);
    REQUIRE(g.launch(kSecond, kElsewhere));
    CHECK(g.reserved() == 64_MiB);
    g.memory.trim();
    CHECK(g.reserved() == 64_MiB);
    g.order.complete_all();
    REQUIRE(g.launch(kGraph));
    CHECK(g.reserved() == 64_MiB);
    g.order.complete_all();
    g.memory.trim();
    CHECK(g.reserved() == 0_B);
}

TEST_CASE("graphs of one stream share pages while they are at work", "[async]") {
    Graphs g;
    g.order.is_idle = false;
    g.end();
    g.capture(kGraph, 64_MiB, true);
    g.capture(kSecond, 96_MiB, true);
    REQUIRE(g.launch(kGraph));
    REQUIRE(g.launch(kSecond));
    CHECK(g.reserved() == 96_MiB);
}

TEST_CASE("what a graph leaves allocated is shared with none", "[async][measured]") {
    Graphs g;
    g.end();
    const Address kept = g.capture(kGraph, 8_MiB, false);
    g.capture(kSecond, 8_MiB, false);
    REQUIRE(g.launch(kGraph));
    REQUIRE(g.launch(kGraph));
    CHECK(g.reserved() == 32_MiB);
    REQUIRE(g.launch(kSecond));
    CHECK(g.reserved() == 64_MiB);
    g.memory.destroy(kGraph);
    g.memory.trim();
    CHECK(g.reserved() == 64_MiB);
    g.memory.free_outside(kGraph, kept);
    CHECK(g.reserved() == 64_MiB);
    g.memory.trim();
    CHECK(g.reserved() == 32_MiB);
}

TEST_CASE("a page is a graph's own if anything is left allocated in it", "[async]") {
    Graphs g;
    const Address shared = g.malloc(60_MiB);
    g.malloc(1_MiB);
    g.free(shared);
    g.end();
    g.capture(kSecond, 64_MiB, true);
    REQUIRE(g.launch(kGraph));
    CHECK(g.reserved() == 64_MiB);
    REQUIRE(g.launch(kSecond));
    CHECK(g.reserved() == 96_MiB);
}

TEST_CASE("a launch fails where the device has no memory for the graph", "[async]") {
    Graphs g(40_MiB);
    g.malloc(33_MiB);
    g.end();
    CHECK_FALSE(g.launch(kGraph));
    CHECK(g.reserved() == 0_B);
    CHECK(g.device.free_bytes() == 40_MiB);
}

}  // namespace highwater
