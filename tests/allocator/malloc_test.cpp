// Allocator specification 4: malloc.
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

TEST_CASE("a request of 0 bytes gives a null pointer and touches nothing", "[malloc]") {
    Process process;
    const MallocResult result = process.allocator.malloc(0_B, kDefaultStream);
    CHECK(std::holds_alternative<NullPointer>(result));
    CHECK(process.stats() == MemoryStats{});
    CHECK(process.log.events.empty());
}

TEST_CASE("a first request takes a segment of its class", "[malloc]") {
    const auto [request, segment] = GENERATE(table<Bytes, Bytes>({{1_B, 2_MiB},
                                                                  {1_MiB, 2_MiB},
                                                                  {1_MiB + 1_B, 20_MiB},
                                                                  {10_MiB - 1_B, 10_MiB},
                                                                  {10_MiB - 512_B, 20_MiB},
                                                                  {10_MiB, 10_MiB},
                                                                  {10_MiB + 1_B, 12_MiB},
                                                                  {12_MiB, 12_MiB}}));
    Process process;
    process.malloc(request);
    CHECK(process.reserved() == segment.count);
    CHECK(process.log.letters() == "Sa");
    CHECK(process.log.events[0].size == segment);
    CHECK(process.log.events[1].size == request);
}

TEST_CASE("the smallest free block that fits serves a request", "[malloc]") {
    Process process;
    const BlockId large = process.malloc(30_MiB);
    const BlockId fitting = process.malloc(24_MiB);
    const Address expected = process.address(fitting);
    process.free(large);
    process.free(fitting);
    CHECK(process.address(process.malloc(22_MiB)) == expected);
}

TEST_CASE("of free blocks of one size the lowest address serves", "[malloc]") {
    Process process;
    const BlockId first = process.malloc(12_MiB);
    const BlockId second = process.malloc(12_MiB);
    const Address expected = std::min(process.address(first), process.address(second));
    process.free(second);
    process.free(first);
    CHECK(process.address(process.malloc(12_MiB)) == expected);
}

TEST_CASE("a block freed on one stream is not reused by another", "[malloc][stream]") {
    Process process;
    process.free(process.malloc(8_MiB, process.side));
    process.malloc(8_MiB, process.other);
    CHECK(process.reserved() == (40_MiB).count);
}

TEST_CASE("small and large pools do not lend each other blocks", "[malloc]") {
    Process process;
    process.free(process.malloc(8_MiB));
    process.malloc(1_MiB);
    CHECK(process.stats().reserved_bytes.small_pool.current == (2_MiB).count);
    CHECK(process.stats().reserved_bytes.large_pool.current == (20_MiB).count);
}

TEST_CASE("in the small pool a remainder from 512 B is split off", "[malloc][split]") {
    const auto [second, free_after] = GENERATE(table<Bytes, std::vector<Bytes>>(
        {{1_MiB, {}}, {1_MiB - 512_B, {512_B}}, {1_MiB - 511_B, {}}}));
    Process process;
    process.malloc(1_MiB);
    process.malloc(second);
    CHECK(process.free_sizes() == free_after);
}

TEST_CASE("in the large pool only a remainder above 1 MiB is split off", "[malloc][split]") {
    const auto [second, free_after] = GENERATE(table<Bytes, std::vector<Bytes>>(
        {{11_MiB, {}}, {11_MiB - 512_B, {1_MiB + 512_B}}, {12_MiB, {}}}));
    Process process;
    process.free(process.malloc(12_MiB));
    process.malloc(second);
    CHECK(process.free_sizes() == free_after);
}

TEST_CASE("an unsplit remainder counts as allocated, not as requested", "[malloc][counters]") {
    Process process;
    process.free(process.malloc(12_MiB));
    process.malloc(11_MiB + 5_B);
    CHECK(process.stats().allocated_bytes.all.current == (12_MiB).count);
    CHECK(process.stats().requested_bytes.all.current == (11_MiB + 5_B).count);
}

TEST_CASE("inactive split follows splitting, reuse and merging", "[malloc][counters]") {
    Process process;
    const BlockId first = process.malloc(2_MiB);
    CHECK(process.stats().inactive_split.all == Stat{1, 1, 1, 0});
    CHECK(process.stats().inactive_split_bytes.all.current == (18_MiB).count);
    const BlockId second = process.malloc(2_MiB);
    CHECK(process.stats().inactive_split.all.current == 1);
    CHECK(process.stats().inactive_split_bytes.all.current == (16_MiB).count);
    process.free(first);
    CHECK(process.stats().inactive_split.all.current == 2);
    CHECK(process.stats().inactive_split_bytes.all.current == (18_MiB).count);
    process.free(second);
    CHECK(process.stats().inactive_split.all.current == 0);
    CHECK(process.stats().inactive_split_bytes.all.current == 0);
}

TEST_CASE("a whole split block handed out leaves inactive split", "[malloc][counters]") {
    Process process;
    const BlockId first = process.malloc(2_MiB);
    process.malloc(2_MiB);
    process.free(first);
    process.malloc(2_MiB);
    CHECK(process.stats().inactive_split.all.current == 1);
    CHECK(process.stats().inactive_split_bytes.all.current == (16_MiB).count);
}

TEST_CASE("what does not fit the card is out of memory after one retry", "[malloc][oom]") {
    Process process("", 64_MiB);
    const MallocResult result = process.allocator.malloc(70_MiB + 1_B, kDefaultStream);
    const auto& error = std::get<OutOfMemory>(result);
    CHECK(error.requested == 70_MiB + 1_B);
    CHECK(error.rounded == 70_MiB + 512_B);
    CHECK(error.segment == 72_MiB);
    CHECK(error.device_free == 64_MiB);
    CHECK_FALSE(error.limit);
    CHECK(process.stats().num_ooms == 1);
    CHECK(process.stats().num_alloc_retries == 1);
    CHECK(process.log.letters() == "O");
    CHECK(process.log.events.back().size == 70_MiB + 512_B);
}

TEST_CASE("the retry releases what is cached, on any stream", "[malloc][oom]") {
    Process process("", 64_MiB);
    process.free(process.malloc(40_MiB, process.side));
    process.malloc(50_MiB);
    CHECK(process.stats().num_alloc_retries == 1);
    CHECK(process.stats().num_ooms == 0);
    CHECK(process.reserved() == (50_MiB).count);
}

TEST_CASE("a block that comes back during the retry is missed", "[malloc][oom]") {
    Process process("", 64_MiB);
    process.events.idle = false;
    const BlockId front = process.malloc(30_MiB);
    process.malloc(20_MiB);
    process.record_stream(front, process.side);
    const BlockId back = front;
    process.free(back);
    // The segment is whole, so the release gives it to the device and the retry succeeds...
    CHECK(process.try_malloc(30_MiB));
    // ... but a piece of a split segment stays, fits, and is not looked at again.
    Process split("", 20_MiB);
    split.events.idle = false;
    const BlockId piece = split.malloc(8_MiB);
    split.malloc(2_MiB);
    split.malloc(10_MiB);
    split.record_stream(piece, split.side);
    split.free(piece);
    CHECK_FALSE(split.try_malloc(8_MiB));
    CHECK(split.try_malloc(8_MiB));
}

TEST_CASE("a memory fraction limits segments, not requests", "[malloc][limit]") {
    Process process("per_process_memory_fraction:0.5", 80_MiB);
    CHECK(process.try_malloc(20_MiB));
    CHECK(process.try_malloc(20_MiB));
    CHECK_FALSE(process.try_malloc(2_MiB));
    process.allocator.set_memory_fraction(1);
    CHECK(process.try_malloc(2_MiB));
}

TEST_CASE("a request near 2^64 bytes is out of memory and nothing worse", "[malloc][oom]") {
    const Bytes size = GENERATE(values<Bytes>(
        {Bytes{UINT64_MAX}, Bytes{UINT64_MAX - 511}, Bytes{std::uint64_t{1} << 63U}}));
    const auto* conf = GENERATE("", "expandable_segments:True", "max_split_size_mb:32");
    Process process(conf);
    process.free(process.malloc(30_MiB));
    CHECK_FALSE(process.try_malloc(size));
}

TEST_CASE("oversize requests and blocks keep to themselves", "[malloc][max_split_size]") {
    Process process("max_split_size_mb:32");
    SECTION("a smaller request does not get a block of max split size") {
        process.free(process.malloc(32_MiB));
        process.malloc(20_MiB);
        CHECK(process.reserved() == (52_MiB).count);
    }
    SECTION("a block just below is given, and split") {
        process.free(process.malloc(30_MiB));
        process.malloc(20_MiB);
        CHECK(process.reserved() == (30_MiB).count);
        CHECK(process.free_sizes() == std::vector<Bytes>{10_MiB});
    }
    SECTION("an oversize request takes a block less than 20 MiB larger, whole") {
        process.free(process.malloc(52_MiB));
        process.malloc(34_MiB);
        CHECK(process.reserved() == (52_MiB).count);
        CHECK(process.free_sizes().empty());
    }
    SECTION("and none that is 20 MiB larger") {
        process.free(process.malloc(54_MiB));
        process.malloc(34_MiB);
        CHECK(process.reserved() == (88_MiB).count);
    }
    SECTION("how much larger is a setting") {
        process.allocator.apply_settings("max_split_size_mb:32,max_non_split_rounding_mb:40");
        const auto [cached, serves] =
            GENERATE(table<Bytes, bool>({{72_MiB, true}, {74_MiB, false}}));
        process.free(process.malloc(cached));
        process.malloc(34_MiB);
        CHECK((process.reserved() == cached.count) == serves);
    }
    SECTION("oversize blocks and segments are counted") {
        const BlockId block = process.malloc(32_MiB);
        process.malloc(30_MiB);
        CHECK(process.stats().oversize_allocations == Stat{1, 1, 1, 0});
        process.free(block);
        process.empty_cache();
        CHECK(process.stats().oversize_allocations == Stat{0, 1, 1, 1});
        CHECK(process.stats().oversize_segments == Stat{0, 1, 1, 1});
    }
}

}  // namespace highwater
