// Allocator specification 8: captures, use_mem_pool and private pools.
#include "sim/allocator/predicted_error.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

namespace {
constexpr PoolId kPool{0, 1};
constexpr PoolId kOtherPool{0, 2};
}  // namespace

TEST_CASE("a capture's streams allocate from its pool, others from the default", "[capture]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    process.malloc(2_MiB, process.side);
    process.malloc(2_MiB, process.other);
    process.end_capture(kPool);
    std::vector<PoolId> pools;
    for (const SegmentInfo& segment : process.allocator.snapshot()) {
        pools.push_back(segment.pool);
    }
    CHECK(pools == std::vector<PoolId>{kPool, kDefaultPoolId});
}

TEST_CASE("a side stream joined later is routed from then on", "[capture]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    process.malloc(2_MiB, process.other);
    process.captures.members[process.other] = process.captures.members[process.side];
    process.malloc(2_MiB, process.other);
    process.end_capture(kPool);
    CHECK(process.reserved() == (40_MiB).count);
}

TEST_CASE("a private pool keeps its segments while its graph is alive", "[capture]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    process.free(process.malloc(12_MiB, process.side));
    process.end_capture(kPool);
    process.empty_cache();
    CHECK(process.reserved() == (12_MiB).count);
    process.allocator.give_up_pool(kPool);
    CHECK(process.reserved() == (12_MiB).count);
    process.empty_cache();
    CHECK(process.reserved() == 0);
}

TEST_CASE("a pool shared by two graphs is freeable when both are gone", "[capture]") {
    Process process;
    for (int i = 0; i < 2; ++i) {
        process.begin_capture(kPool, {process.side});
        process.free(process.malloc(12_MiB, process.side));
        process.end_capture(kPool);
    }
    CHECK(process.reserved() == (12_MiB).count);
    process.allocator.give_up_pool(kPool);
    process.empty_cache();
    CHECK(process.reserved() == (12_MiB).count);
    process.allocator.give_up_pool(kPool);
    process.empty_cache();
    CHECK(process.reserved() == 0);
}

TEST_CASE("a pool given up with live blocks cannot be captured into again", "[capture]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    process.malloc(12_MiB, process.side);
    process.end_capture(kPool);
    process.allocator.give_up_pool(kPool);
    process.empty_cache();
    CHECK_THROWS_AS(process.allocator.begin_capture(kPool, CaptureId{9}), PredictedError);
}

TEST_CASE("a pool that was drained and forgotten can be made again", "[capture]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    process.free(process.malloc(12_MiB, process.side));
    process.end_capture(kPool);
    process.allocator.give_up_pool(kPool);
    process.empty_cache();
    process.begin_capture(kPool, {process.side});
    process.malloc(12_MiB, process.side);
    process.end_capture(kPool);
    CHECK(process.reserved() == (12_MiB).count);
}

TEST_CASE("capturing twice into one id is refused, and the use stays counted", "[capture]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    CHECK_THROWS_WITH(process.allocator.begin_capture(kPool, CaptureId{9}),
                      Catch::Matchers::ContainsSubstring("already recording to mempool_id"));
    process.free(process.malloc(12_MiB, process.side));
    process.end_capture(kPool);
    process.allocator.give_up_pool(kPool);
    process.empty_cache();
    CHECK(process.reserved() == (12_MiB).count);
}

TEST_CASE("ending what was not begun is refused", "[capture]") {
    Process process;
    CHECK_THROWS_WITH(process.allocator.end_routing(kPool),
                      Catch::Matchers::ContainsSubstring("not currently recording"));
    CHECK_THROWS_AS(process.allocator.give_up_pool(kPool), PredictedError);
}

TEST_CASE("while any routing is active empty_cache leaves the default pools alone", "[capture]") {
    Process process;
    process.free(process.malloc(12_MiB));
    process.begin_capture(kPool, {process.side});
    process.empty_cache();
    CHECK(process.reserved() == (12_MiB).count);
    CHECK(process.stats().num_sync_all_streams == 0);
    process.end_capture(kPool);
    process.empty_cache();
    CHECK(process.reserved() == 0);
}

TEST_CASE("while any routing is active there is no last retry", "[capture][oom]") {
    Process process("", 64_MiB);
    process.free(process.malloc(40_MiB, process.other));
    process.begin_capture(kPool, {process.side});
    CHECK_FALSE(process.try_malloc(40_MiB, process.side));
    CHECK(process.stats().num_alloc_retries == 0);
    process.end_capture(kPool);
    CHECK(process.try_malloc(40_MiB, process.side));
}

TEST_CASE("a recorded block freed in a capture is parked until no routing is active",
          "[capture][record_stream]") {
    Process process;
    process.begin_capture(kPool, {process.side, process.other});
    const BlockId block = process.malloc(12_MiB, process.side);
    process.record_stream(block, process.other);
    process.free(block);
    process.malloc(12_MiB, process.side);
    CHECK(process.reserved() == (24_MiB).count);
    CHECK(process.events.recorded() == 0);
    process.end_capture(kPool);
    process.malloc(1_B);
    // Its only use was added under the routing, so it came back without an event.
    CHECK(process.events.recorded() == 0);
    CHECK(process.free_sizes().front() == 12_MiB);
}

TEST_CASE("a use added before the routing still needs its event after it",
          "[capture][record_stream]") {
    Process process;
    process.events.idle = false;
    const BlockId block = process.malloc(12_MiB);
    process.record_stream(block, process.other);
    process.begin_capture(kPool, {process.side});
    process.record_stream(block, process.side);
    process.free(block);
    process.end_capture(kPool);
    process.malloc(1_B);
    CHECK(process.events.recorded() == 1);
    CHECK(process.stats().active.large_pool.current == 1);
}

TEST_CASE("use_mem_pool routes its thread, whatever the stream", "[mempool]") {
    Process process;
    process.allocator.create_pool(kPool, false, false);
    process.allocator.begin_use_mem_pool(kPool, kMainThread);
    process.malloc(12_MiB, process.side);
    const MallocResult other = process.allocator.malloc(14_MiB, process.side, ThreadId{1});
    process.allocator.end_routing(kPool);
    CHECK(std::holds_alternative<Allocated>(other));
    CHECK(process.allocator.snapshot()[0].pool == kPool);
    CHECK(process.allocator.snapshot()[1].pool == kDefaultPoolId);
}

TEST_CASE("of nested pools the inner one serves", "[mempool]") {
    Process process;
    process.allocator.create_pool(kPool, false, false);
    process.allocator.create_pool(kOtherPool, false, false);
    process.allocator.begin_use_mem_pool(kPool);
    process.allocator.begin_use_mem_pool(kOtherPool);
    process.malloc(12_MiB);
    CHECK(process.allocator.snapshot()[0].pool == kOtherPool);
}

TEST_CASE("a destroyed memory pool gives its free segments back at once", "[mempool]") {
    Process process;
    process.allocator.create_pool(kPool, false, false);
    process.allocator.begin_use_mem_pool(kPool);
    const BlockId kept = process.malloc(12_MiB);
    process.free(process.malloc(14_MiB));
    process.allocator.end_routing(kPool);
    process.allocator.give_up_pool(kPool);
    process.allocator.destroy_pool(kPool);
    CHECK(process.reserved() == (12_MiB).count);
    process.free(kept);
    process.empty_cache();
    CHECK(process.reserved() == 0);
}

TEST_CASE("destroying a pool while a routing is active is a predicted assert", "[mempool]") {
    Process process;
    process.allocator.create_pool(kPool, false, false);
    process.begin_capture(kOtherPool, {process.side});
    CHECK_THROWS_AS(process.allocator.destroy_pool(kPool), PredictedError);
}

TEST_CASE("blocks of a no_split pool are handed out whole", "[mempool]") {
    Process process;
    process.allocator.create_pool(kPool, false, true);
    process.allocator.begin_use_mem_pool(kPool);
    process.malloc(2_MiB);
    process.malloc(512_B);
    CHECK(process.free_sizes().empty());
    CHECK(process.stats().allocated_bytes.all.current == (22_MiB).count);
}

TEST_CASE("a use_on_oom pool lends cached blocks of the same stream", "[mempool][oom]") {
    const bool lends = GENERATE(true, false);
    Process process("", 64_MiB);
    process.allocator.create_pool(kPool, lends, false);
    process.allocator.begin_use_mem_pool(kPool);
    const BlockId pooled = process.malloc(30_MiB);
    process.free(pooled);
    process.allocator.end_routing(kPool);
    process.allocator.give_up_pool(kPool);
    CHECK_FALSE(process.try_malloc(40_MiB));
    CHECK_FALSE(process.try_malloc(36_MiB, process.side));
    process.malloc(30_MiB);
    CHECK(process.try_malloc(22_MiB).has_value() == lends);
    // The rest of the borrowed block stays with the pool.
    if (lends) {
        CHECK(process.try_malloc(8_MiB));
        CHECK(process.reserved() == (60_MiB).count);
    }
}

TEST_CASE("use_on_oom pools are asked in turn", "[mempool][oom]") {
    Process process("", 64_MiB);
    for (const auto& [pool, size] : {std::pair{kPool, 12_MiB}, std::pair{kOtherPool, 40_MiB}}) {
        process.allocator.create_pool(pool, true, false);
        process.allocator.begin_use_mem_pool(pool);
        process.free(process.malloc(size));
        process.allocator.end_routing(pool);
        process.allocator.give_up_pool(pool);
    }
    process.malloc(30_MiB);
    CHECK(process.reserved() == (52_MiB).count);
    CHECK(process.stats().num_alloc_retries == 0);
}

TEST_CASE("a freeable pool is released even while a routing is active", "[capture]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    process.free(process.malloc(12_MiB, process.side));
    process.end_capture(kPool);
    process.allocator.give_up_pool(kPool);
    process.begin_capture(kOtherPool, {process.side});
    process.empty_cache();
    CHECK(process.reserved() == 0);
}

TEST_CASE("with capture-time reuse a block waits for its markers only",
          "[capture][record_stream][reuse]") {
    const bool reuses = GENERATE(true, false);
    Process process(reuses ? "graph_capture_record_stream_reuse:True" : "");
    process.begin_capture(kPool, {process.side, process.other});
    process.captures.ends = {{process.side, {NodeId{0}}}, {process.other, {NodeId{1}}}};
    const BlockId block = process.malloc(12_MiB, process.side);
    process.record_stream(block, process.other);
    process.free(block);
    process.captures.reached[process.side] = {NodeId{0}};
    process.malloc(12_MiB, process.side);
    CHECK(process.reserved() == (24_MiB).count);
    process.captures.reached[process.side] = {NodeId{0}, NodeId{1}};
    process.malloc(12_MiB, process.side);
    CHECK(process.reserved() == (reuses ? 24_MiB : 36_MiB).count);
    process.end_capture(kPool);
}

TEST_CASE("a block used on a stream outside the capture has no markers",
          "[capture][record_stream][reuse]") {
    Process process("graph_capture_record_stream_reuse:True");
    process.begin_capture(kPool, {process.side});
    process.captures.ends = {{process.side, {NodeId{0}}}};
    process.captures.reached = {{process.side, {NodeId{0}}}};
    const BlockId block = process.malloc(12_MiB, process.side);
    process.record_stream(block, process.other);
    process.free(block);
    process.malloc(12_MiB, process.side);
    CHECK(process.reserved() == (24_MiB).count);
}

}  // namespace highwater
