// The driver's pool: what it takes from the device, whose freed memory a stream gets, what it gives
// back (CUDA runtime API, pool attributes; sim/allocator/async/README.md).
#include <array>
#include <vector>

#include "tests/allocator/async/support.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamId kA{1};
constexpr StreamId kB{2};

struct Pool {
    explicit Pool(Bytes card = 80_GiB) : memory(card) {}

    Address malloc(Bytes size, StreamId stream) {
        const auto address = pool.malloc(size, stream);
        REQUIRE(address);
        return *address;
    }

    AscendingMemory memory;
    ManualOrder order;
    StreamOrderedPool pool{PoolProfile{}, memory, order};
};

// One policy alone.
ReusePolicies only(bool ReusePolicies::*policy) {
    ReusePolicies policies{false, false, false};
    policies.*policy = true;
    return policies;
}

}  // namespace

TEST_CASE("a pool grows by whole pages, on from what is free at its end", "[async][measured]") {
    // Allocated, freed and waited for, one after the other: MiB asked for, MiB reserved then.
    const bool keeps = GENERATE(true, false);
    const std::vector<std::array<std::uint64_t, 3>> rows{{33, 64, 64},
                                                         {40, 64, 64},
                                                         {64, 64, 64},
                                                         {65, 96, 96},
                                                         {100, 128, 128},
                                                         {20, 128, 32},
                                                         {1, 128, 32},
                                                         {31, 128, 32},
                                                         {32, 128, 32}};
    Pool p;
    p.pool.set_release_threshold(keeps ? Bytes{UINT64_MAX} : 0_B);
    for (const auto& [asked, kept, alone] : rows) {
        const Address block = p.malloc(1_MiB * asked, kA);
        const Bytes reserved = 1_MiB * (keeps ? kept : alone);
        CHECK(p.pool.reserved().current == reserved);
        CHECK(p.memory.free_bytes() == 80_GiB - reserved);
        p.pool.free(block, kA);
        CHECK(p.pool.reserved().current == reserved);
        p.pool.synchronized();
        CHECK(p.pool.reserved().current == (keeps ? reserved : 0_B));
    }
    p.pool.trim_to(0_B);
    CHECK(p.pool.reserved().current == 0_B);
    CHECK(p.pool.reserved().high == 128_MiB);
    CHECK(p.pool.used().high == 100_MiB);
}

TEST_CASE("pages are taken only when the free blocks do not serve", "[async][measured]") {
    Pool p;
    std::vector<std::uint64_t> reserved;
    for (int i = 0; i < 6; ++i) {
        p.malloc(8_MiB, kA);
        reserved.push_back(p.pool.reserved().current / 1_MiB);
    }
    CHECK(reserved == std::vector<std::uint64_t>{32, 32, 32, 32, 64, 64});
}

TEST_CASE("a hole serves what fits, and grows with its neighbours", "[async][measured]") {
    Pool p;
    std::vector<Address> blocks;
    for (int i = 0; i < 4; ++i) {
        blocks.push_back(p.malloc(8_MiB, kA));
    }
    p.pool.free(blocks[1], kA);
    p.malloc(9_MiB, kA);
    CHECK(p.pool.reserved().current == 64_MiB);
    CHECK(p.malloc(4_MiB, kA) == blocks[1]);
    p.pool.free(blocks[2], kA);
    CHECK(p.malloc(12_MiB, kA) == blocks[0] + 12_MiB);
    CHECK(p.pool.reserved().current == 64_MiB);
}

TEST_CASE("a block may lie across the border of two pages", "[async][measured]") {
    Pool p;
    std::vector<Address> blocks;
    for (int i = 0; i < 8; ++i) {
        blocks.push_back(p.malloc(8_MiB, kA));
        CHECK(blocks[0] + 8_MiB * static_cast<std::uint64_t>(i) == blocks.back());
    }
    p.pool.free(blocks[3], kA);
    p.pool.free(blocks[4], kA);
    CHECK(p.malloc(16_MiB, kA) == blocks[3]);
    CHECK(p.pool.reserved().current == 64_MiB);
}

TEST_CASE("which stream has what another freed", "[async][measured]") {
    // Stream A frees 32 MiB; B may wait for an event behind that; then B allocates 32 MiB.
    struct Row {
        bool is_held;
        bool waits;
        ReusePolicies policies;
        bool is_same;
    };
    const Row row = GENERATE(values<Row>({
        {false, false, {true, true, true}, true},
        {false, true, {true, true, true}, true},
        {false, false, {true, false, true}, true},
        {false, true, {true, false, true}, true},
        {true, false, {true, true, true}, false},
        {true, true, {true, true, true}, true},
        {true, false, {true, true, false}, false},
        {true, true, {true, true, false}, true},
        {true, true, {false, true, true}, false},
        {true, true, {false, true, false}, false},
        {true, false, {true, false, false}, false},
    }));
    Pool p;
    p.pool.set_release_threshold(Bytes{UINT64_MAX});
    p.pool.set_policies(row.policies);
    p.order.is_idle = false;
    const Address freed = p.malloc(32_MiB, kA);
    p.pool.free(freed, kA);
    if (!row.is_held) {
        p.order.complete_all();
        p.pool.synchronized();
    }
    if (row.waits) {
        p.order.wait(kB, p.order.record(kA));
    }
    CHECK((p.malloc(32_MiB, kB) == freed) == row.is_same);
    CHECK(p.pool.reserved().current == (row.is_same ? 32_MiB : 64_MiB));
}

TEST_CASE("used bytes are those asked for, addresses are aligned", "[async][measured]") {
    Pool p;
    const Address first = p.malloc(1_B, kA);
    const Address second = p.malloc(513_B, kA);
    const Address third = p.malloc(1_B, kA);
    CHECK(p.pool.used().current == 515_B);
    CHECK(second - first == 512_B);
    CHECK(third - second == 1024_B);
}

TEST_CASE("a stream has its own freed memory again at once", "[async]") {
    Pool p;
    p.order.is_idle = false;
    p.pool.set_policies({false, false, false});
    const Address freed = p.malloc(32_MiB, kA);
    p.pool.free(freed, kA);
    CHECK(p.malloc(32_MiB, kA) == freed);
    CHECK(p.pool.reserved().current == 32_MiB);
}

TEST_CASE("without policies freed memory stays with its stream until a synchronisation",
          "[async]") {
    Pool p;
    p.pool.set_release_threshold(80_GiB);
    p.pool.set_policies({false, false, false});
    const Address freed = p.malloc(32_MiB, kA);
    p.pool.free(freed, kA);
    const bool is_synchronized = GENERATE(false, true);
    if (is_synchronized) {
        p.pool.synchronized();
    }
    p.order.is_idle = false;
    CHECK((p.malloc(32_MiB, kB) == freed) == is_synchronized);
}

TEST_CASE("a stream behind the free through an event has the memory, if the policy is on",
          "[async]") {
    Pool p;
    p.order.is_idle = false;
    const bool is_on = GENERATE(true, false);
    ReusePolicies policies{false, false, false};
    policies.follow_event_dependencies = is_on;
    p.pool.set_policies(policies);
    const Address freed = p.malloc(32_MiB, kA);
    p.pool.free(freed, kA);
    p.order.wait(kB, p.order.record(kA));
    CHECK((p.malloc(32_MiB, kB) == freed) == is_on);
}

TEST_CASE("an event from before the free is not enough", "[async]") {
    Pool p;
    p.order.is_idle = false;
    p.pool.set_policies(only(&ReusePolicies::follow_event_dependencies));
    const Address freed = p.malloc(32_MiB, kA);
    p.order.wait(kB, p.order.record(kA));
    p.pool.free(freed, kA);
    CHECK(p.malloc(32_MiB, kB) != freed);
}

TEST_CASE("opportunistic reuse is of work that is done", "[async]") {
    Pool p;
    p.order.is_idle = false;
    p.pool.set_policies(only(&ReusePolicies::allow_opportunistic));
    const Address freed = p.malloc(32_MiB, kA);
    p.pool.free(freed, kA);
    const Address other = p.malloc(32_MiB, kB);
    CHECK(other != freed);
    p.order.complete_all();
    CHECK(p.malloc(32_MiB, kB) == freed);
    CHECK(p.order.waits() == 0);
}

TEST_CASE("where the device has no more, an internal dependency makes the stream wait", "[async]") {
    Pool p(40_MiB);
    p.order.is_idle = false;
    const Address freed = p.malloc(32_MiB, kA);
    p.pool.free(freed, kA);
    CHECK(p.malloc(32_MiB, kB) == freed);
    CHECK(p.order.waits() == 1);
    CHECK(p.order.is_behind(kB, EventId{0}));
}

TEST_CASE("what is ready is preferred to what must be waited for", "[async]") {
    Pool p;
    p.order.is_idle = false;
    const Address freed = p.malloc(8_MiB, kA);
    p.pool.free(freed, kA);
    const Address ready = p.malloc(1_MiB, kB);
    CHECK(ready == freed + 8_MiB);
    CHECK(p.order.waits() == 0);
}

TEST_CASE("neighbours freed in different streams merge at a synchronisation", "[async]") {
    Pool p;
    p.pool.set_release_threshold(80_GiB);
    const Address first = p.malloc(16_MiB, kA);
    const Address second = p.malloc(16_MiB, kA);
    p.order.is_idle = false;
    p.pool.free(first, kA);
    p.pool.free(second, kB);
    p.order.complete_all();
    p.pool.synchronized();
    CHECK(p.malloc(32_MiB, kB) == first);
}

TEST_CASE("before it grows, a pool merges what is done", "[async]") {
    Pool p;
    const Address first = p.malloc(16_MiB, kA);
    p.pool.free(p.malloc(16_MiB, kA), kB);
    p.pool.free(first, kA);
    CHECK(p.malloc(32_MiB, kA) == first);
}

TEST_CASE("a synchronisation gives back free pages beyond the release threshold", "[async]") {
    const auto [threshold, reserved] = GENERATE(table<Bytes, Bytes>({
        {0_B, 32_MiB},
        {33_MiB, 64_MiB},
        {64_MiB, 64_MiB},
        {96_MiB, 96_MiB},
    }));
    Pool p;
    p.pool.set_release_threshold(threshold);
    std::vector<Address> blocks;
    for (int i = 0; i < 3; ++i) {
        blocks.push_back(p.malloc(32_MiB, kA));
    }
    p.pool.free(blocks[0], kA);
    p.pool.free(blocks[2], kA);
    CHECK(p.pool.reserved().current == 96_MiB);
    p.pool.synchronized();
    CHECK(p.pool.reserved().current == reserved);
    CHECK(p.pool.reserved().high == 96_MiB);
    CHECK(p.memory.free_bytes() == 80_GiB - reserved);
}

TEST_CASE("a trim keeps pages in use and those whose free is not passed", "[async]") {
    Pool p;
    const Address used = p.malloc(1_MiB, kA);
    const Address pending = p.malloc(32_MiB, kA);
    p.order.is_idle = false;
    p.pool.free(pending, kA);
    p.pool.trim_to(0_B);
    CHECK(p.pool.reserved().current == 64_MiB);
    p.order.complete_all();
    p.pool.trim_to(0_B);
    CHECK(p.pool.reserved().current == 32_MiB);
    p.order.is_idle = true;
    p.pool.free(used, kA);
    p.pool.trim_to(0_B);
    CHECK(p.pool.reserved().current == 0_B);
}

TEST_CASE("a page that is free in part stays", "[async]") {
    Pool p;
    const Address low = p.malloc(40_MiB, kA);
    const Address between = p.malloc(8_MiB, kA);
    p.malloc(80_MiB, kA);
    p.pool.free(low, kA);
    p.pool.trim_to(0_B);
    // 48 + 80 MiB are four pages; the first is free as a whole, 8 MiB of the second are.
    CHECK(p.pool.reserved().current == 96_MiB);
    CHECK(p.malloc(8_MiB, kA) + 8_MiB == between);
}

TEST_CASE("a request that fails leaves the pool the pages there were", "[async][measured]") {
    // 32 MiB are free behind work of A, 48 MiB are left: 64 MiB are not to be had at one place.
    Pool p(80_MiB);
    p.order.is_idle = false;
    p.pool.free(p.malloc(32_MiB, kA), kA);
    CHECK_FALSE(p.pool.malloc(64_MiB, kB));
    CHECK(p.pool.reserved().current == 64_MiB);
    CHECK(p.pool.used().current == 0_B);
    CHECK(p.memory.free_bytes() == 16_MiB);
    p.malloc(32_MiB, kB);
    CHECK(p.order.waits() == 0);
}

TEST_CASE("a full card with nothing free to wait for is out of memory", "[async]") {
    Pool p(40_MiB);
    p.malloc(20_MiB, kA);
    CHECK_FALSE(p.pool.malloc(32_MiB, kB));
    CHECK(p.pool.reserved().current == 32_MiB);
}

}  // namespace highwater
