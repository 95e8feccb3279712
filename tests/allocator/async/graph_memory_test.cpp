// Allocation and free nodes: addresses while capturing, memory at launches (around-allocator
// specification 8.3; the four rows measured on an H200 with driver 580).
#include <set>

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
    void end() { captures.captures.end(under_way, kOrigin); }
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
    Bytes reserved() const { return memory.reserved().current; }

    AscendingMemory device;
    RecordedCaptures captures;
    GraphMemory memory{PoolProfile{}, device, captures};
    CaptureId under_way{};
};

}  // namespace

TEST_CASE("a node takes the address of one that was freed before it in the graph", "[async]") {
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

TEST_CASE("a free in a branch serves only behind the join", "[async]") {
    Graphs g;
    g.captures.captures.launch(kOrigin);
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

TEST_CASE("memory comes with the first launch, in steps, and stays until it is trimmed",
          "[async]") {
    Graphs g;
    for (int i = 0; i < 5; ++i) {
        g.malloc(8_MiB);
    }
    g.end();
    CHECK(g.reserved() == 0_B);
    CHECK(g.device.free_bytes() == 80_GiB);
    REQUIRE(g.memory.launch(kGraph, kOrigin));
    CHECK(g.reserved() == 64_MiB);
    CHECK(g.memory.used().current == 64_MiB);
    CHECK(g.device.free_bytes() == 80_GiB - 64_MiB);
    REQUIRE(g.memory.launch(kGraph, kOrigin));
    CHECK(g.reserved() == 64_MiB);
}

TEST_CASE("graphs of one stream share what they free, of two streams they do not", "[async]") {
    Graphs g;
    g.end();
    g.capture(kGraph, 64_MiB, true);
    g.capture(kSecond, 96_MiB, true);
    REQUIRE(g.memory.launch(kGraph, kOrigin));
    CHECK(g.reserved() == 64_MiB);
    const auto [stream, reserved] = GENERATE(table<StreamId, Bytes>({
        {kOrigin, 96_MiB},
        {kElsewhere, 160_MiB},
    }));
    REQUIRE(g.memory.launch(kSecond, stream));
    CHECK(g.reserved() == reserved);
}

TEST_CASE("what a graph leaves allocated is shared with none", "[async]") {
    Graphs g;
    g.end();
    const Address kept = g.capture(kGraph, 64_MiB, false);
    g.capture(kSecond, 64_MiB, true);
    REQUIRE(g.memory.launch(kGraph, kOrigin));
    REQUIRE(g.memory.launch(kSecond, kOrigin));
    CHECK(g.reserved() == 128_MiB);
    g.memory.destroy(kGraph);
    g.memory.destroy(kSecond);
    g.memory.trim();
    CHECK(g.reserved() == 64_MiB);
    g.memory.free_outside(kGraph, kept);
    g.memory.trim();
    CHECK(g.reserved() == 0_B);
    CHECK(g.memory.reserved().high == 128_MiB);
    CHECK(g.device.free_bytes() == 80_GiB);
}

TEST_CASE("a launch fails where the device has no memory for the graph", "[async]") {
    Graphs g(40_MiB);
    g.malloc(33_MiB);
    g.end();
    CHECK_FALSE(g.memory.launch(kGraph, kOrigin));
    CHECK(g.reserved() == 0_B);
    CHECK(g.memory.used().current == 0_B);
}

}  // namespace highwater
