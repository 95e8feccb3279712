// The driver's pool: what it takes from the device, whose freed memory a stream gets, what it gives
// back (CUDA runtime API, pool attributes; sim/allocator/async/README.md).
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

TEST_CASE("a pool grows by whole steps of its profile", "[async]") {
    const auto [size, reserved] = GENERATE(table<Bytes, Bytes>({
        {1_B, 32_MiB},
        {32_MiB, 32_MiB},
        {33_MiB, 64_MiB},
        {64_MiB, 64_MiB},
        {65_MiB, 96_MiB},
    }));
    Pool p;
    p.malloc(size, kA);
    CHECK(p.pool.reserved().current == reserved);
    CHECK(p.memory.free_bytes() == 80_GiB - reserved);
}

TEST_CASE("a pool takes a new segment only when the free blocks do not serve", "[async]") {
    Pool p;
    for (int i = 0; i < 4; ++i) {
        p.malloc(8_MiB, kA);
    }
    CHECK(p.pool.reserved().current == 32_MiB);
    p.malloc(8_MiB, kA);
    CHECK(p.pool.reserved().current == 64_MiB);
}

TEST_CASE("used bytes are those asked for, addresses are aligned", "[async]") {
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

TEST_CASE("an internal dependency makes the stream wait instead of growing the pool", "[async]") {
    Pool p;
    p.order.is_idle = false;
    const Address freed = p.malloc(32_MiB, kA);
    p.pool.free(freed, kA);
    CHECK(p.malloc(32_MiB, kB) == freed);
    CHECK(p.order.waits() == 1);
    CHECK(p.pool.reserved().current == 32_MiB);
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

TEST_CASE("a synchronisation gives back unused segments beyond the release threshold", "[async]") {
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

TEST_CASE("a trim keeps segments in use and those whose free is not passed", "[async]") {
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

TEST_CASE("a pool is out of memory when the device has none for the whole step", "[async]") {
    Pool p(40_MiB);
    CHECK_FALSE(p.pool.malloc(33_MiB, kA));
    p.malloc(1_MiB, kA);
    CHECK_FALSE(p.pool.malloc(32_MiB, kA));
    CHECK(p.pool.used().current == 1_MiB);
}

}  // namespace highwater
