// Allocator specification 9: expandable segments.
#include "sim/allocator/predicted_error.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

namespace {
constexpr const char* kExpandable = "expandable_segments:True";
constexpr PoolId kPool{0, 1};
}  // namespace

TEST_CASE("an expandable segment grows by whole pages, in place", "[expandable]") {
    const auto [request, page] = GENERATE(table<Bytes, Bytes>({{16_KiB, 2_MiB}, {3_MiB, 20_MiB}}));
    Process process(kExpandable);
    const BlockId first = process.malloc(request);
    CHECK(process.reserved() == page.count);
    CHECK(process.log.letters() == "Ma");
    std::size_t blocks = 1;
    while (process.reserved() == page.count) {
        process.malloc(request);
        ++blocks;
    }
    CHECK(blocks == page / request + 1);
    CHECK(process.allocator.snapshot().size() == 1);
    CHECK(process.allocator.snapshot()[0].address == process.address(first));
}

TEST_CASE("pages count from the reservation's base, not from address 0", "[expandable]") {
    Process process(kExpandable);
    // Moves the next reservation off the 20 MiB grid.
    process.malloc(512_B);
    process.free(process.malloc(30_MiB));
    CHECK(process.reserved() == (42_MiB).count);
    process.empty_cache();
    CHECK(process.reserved() == (2_MiB).count);
}

TEST_CASE("expandable segments are not counted as segments, nor their splits", "[expandable]") {
    Process process(kExpandable);
    process.malloc(3_MiB);
    CHECK(process.stats().segment.all.current == 0);
    CHECK(process.stats().inactive_split.all.allocated == 0);
    CHECK(process.stats().num_device_alloc == 1);
}

TEST_CASE("in expandable segments remainders from 512 B are split off", "[expandable][split]") {
    Process process(kExpandable);
    process.malloc(20_MiB - 512_B);
    CHECK(process.free_sizes() == std::vector<Bytes>{512_B});
}

TEST_CASE("growth starts at the free space before the unmapped", "[expandable]") {
    Process process(kExpandable);
    process.malloc(15_MiB);
    process.log.events.clear();
    const BlockId block = process.malloc(20_MiB);
    CHECK(process.log.letters() == "Ma");
    CHECK(process.log.events[0].size == 20_MiB);
    CHECK(process.reserved() == (40_MiB).count);
    CHECK(process.allocator.block(block).size == 20_MiB);
}

TEST_CASE("a hole that is too small for the request is grown over", "[expandable]") {
    Process process(kExpandable);
    process.malloc(20_MiB);
    const BlockId hole = process.malloc(20_MiB);
    process.malloc(20_MiB);
    process.free(hole);
    process.empty_cache();
    CHECK(process.reserved() == (40_MiB).count);
    CHECK(process.allocator.snapshot().size() == 2);
    process.log.events.clear();
    process.malloc(40_MiB);
    CHECK(process.reserved() == (80_MiB).count);
    process.malloc(20_MiB);
    CHECK(process.reserved() == (100_MiB).count);
    CHECK(process.allocator.snapshot().size() == 1);
}

TEST_CASE("empty_cache unmaps whole pages only and keeps the ragged ends", "[expandable]") {
    Process process(kExpandable);
    const BlockId front = process.malloc(10_MiB);
    process.free(process.malloc(60_MiB));
    CHECK(process.reserved() == (80_MiB).count);
    process.empty_cache();
    CHECK(process.reserved() == (20_MiB).count);
    CHECK(process.free_sizes() == std::vector<Bytes>{10_MiB});
    process.free(front);
    process.empty_cache();
    CHECK(process.reserved() == 0);
    CHECK(process.allocator.snapshot().empty());
}

TEST_CASE("a free range within one page is not unmapped", "[expandable]") {
    Process process(kExpandable);
    const BlockId block = process.malloc(8_MiB);
    process.malloc(8_MiB);
    process.free(block);
    process.log.events.clear();
    process.empty_cache();
    CHECK(process.log.events.empty());
}

TEST_CASE("a candidate with less room to grow is preferred", "[expandable]") {
    Process process(kExpandable);
    // Two free blocks that serve 3 MiB: one in a hole, one that could grow for ever.
    const BlockId hole = process.malloc(6_MiB);
    process.malloc(30_MiB);
    const Address expected = process.address(hole);
    process.free(hole);
    REQUIRE(process.free_sizes() == std::vector<Bytes>{6_MiB, 4_MiB});
    CHECK(process.address(process.malloc(3_MiB)) == expected);
}

TEST_CASE("switched off later, expandable blocks are passed over", "[expandable]") {
    Process process(kExpandable);
    process.free(process.malloc(20_MiB));
    process.allocator.apply_settings("expandable_segments:False");
    process.malloc(20_MiB);
    CHECK(process.stats().segment.all.current == 1);
    CHECK(process.reserved() == (40_MiB).count);
}

TEST_CASE("switched off later, the next block that is not expandable serves", "[expandable]") {
    Process process(kExpandable);
    const BlockId expandable = process.malloc(20_MiB);
    process.allocator.apply_settings("expandable_segments:False");
    const BlockId ordinary = process.malloc(22_MiB);
    const Address expected = process.address(ordinary);
    process.free(expandable);
    process.free(ordinary);
    CHECK(process.address(process.malloc(20_MiB)) == expected);
}

TEST_CASE("a full card ends growth part of the way", "[expandable][oom]") {
    Process process(kExpandable, 100_MiB);
    const BlockId first = process.malloc(20_MiB);
    const BlockId hole = process.malloc(20_MiB);
    process.malloc(40_MiB);
    process.free(hole);
    CHECK_FALSE(process.try_malloc(60_MiB));
    process.free(first);
    CHECK(process.try_malloc(40_MiB));
}

TEST_CASE("the limit holds before a page is mapped", "[expandable][limit]") {
    Process process("expandable_segments:True,per_process_memory_fraction:0.25", 100_MiB);
    CHECK(process.try_malloc(20_MiB));
    CHECK_FALSE(process.try_malloc(6_MiB));
}

TEST_CASE("a request larger than the reservation is out of memory", "[expandable][oom]") {
    Process process(kExpandable, 64_MiB);
    CHECK_FALSE(process.try_malloc(73_MiB));
    CHECK(process.try_malloc(60_MiB));
}

TEST_CASE("a freed private pool in more pieces than growths is a predicted assert",
          "[expandable][capture]") {
    Process process(kExpandable);
    process.begin_capture(kPool, {process.side});
    const BlockId front = process.malloc(20_MiB, process.side);
    process.free(front);
    std::vector<BlockId> blocks;
    // One growth of 100 MiB, cut into five pieces of which every other one is freed.
    process.free(process.malloc(100_MiB, process.side));
    for (int i = 0; i < 5; ++i) {
        blocks.push_back(process.malloc(20_MiB, process.side));
    }
    for (const std::size_t i : {0U, 2U, 4U}) {
        process.free(blocks[i]);
    }
    process.end_capture(kPool);
    process.allocator.give_up_pool(kPool);
    CHECK_THROWS_AS(process.allocator.empty_cache(), PredictedError);
}

TEST_CASE("ordinary segments of such a pool run into the same assert", "[expandable][mempool]") {
    Process process;
    process.allocator.create_pool(kPool, false, false);
    process.allocator.begin_use_mem_pool(kPool);
    const BlockId ordinary = process.malloc(30_MiB);
    const BlockId another = process.malloc(40_MiB);
    process.allocator.apply_settings(kExpandable);
    process.free(process.malloc(60_MiB));
    const BlockId first = process.malloc(20_MiB);
    process.malloc(20_MiB);
    const BlockId last = process.malloc(20_MiB);
    process.free(first);
    process.free(last);
    process.allocator.end_routing(kPool);
    process.allocator.give_up_pool(kPool);
    process.allocator.destroy_pool(kPool);
    CHECK(process.reserved() == (90_MiB).count);
    process.free(ordinary);
    process.free(another);
    CHECK_THROWS_AS(process.allocator.empty_cache(), PredictedError);
    process.audit();
}

TEST_CASE("a freed private pool in as many pieces as growths is unmapped",
          "[expandable][capture]") {
    Process process(kExpandable);
    process.begin_capture(kPool, {process.side});
    const BlockId a = process.malloc(20_MiB, process.side);
    const BlockId b = process.malloc(20_MiB, process.side);
    process.free(a);
    process.end_capture(kPool);
    process.allocator.give_up_pool(kPool);
    process.empty_cache();
    CHECK(process.reserved() == (20_MiB).count);
    process.free(b);
    process.empty_cache();
    CHECK(process.reserved() == 0);
}

}  // namespace highwater
