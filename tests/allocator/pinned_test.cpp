// Which allocated blocks keep free memory from going back.
#include "sim/allocator/pinned.hpp"

#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

TEST_CASE("a small block pins the rest of its segment", "[pinned]") {
    Process process;
    const BlockId small = process.malloc(2_MiB);
    process.free(process.malloc(18_MiB));
    const auto pinned = allocator::pinned_segments(process.allocator.state());
    REQUIRE(pinned.size() == 1);
    CHECK(pinned[0].size == 20_MiB);
    CHECK(pinned[0].allocated == 2_MiB);
    CHECK(pinned[0].held == 18_MiB);
    CHECK(pinned[0].blocks == std::vector<BlockId>{small});
    process.free(small);
    CHECK(allocator::pinned_segments(process.allocator.state()).empty());
}

TEST_CASE("a segment that is full, or free, is not pinned", "[pinned]") {
    Process process;
    process.malloc(20_MiB);
    process.free(process.malloc(40_MiB));
    CHECK(allocator::pinned_segments(process.allocator.state()).empty());
}

TEST_CASE("the segment that holds most comes first", "[pinned]") {
    Process process;
    process.malloc(9_MiB);
    process.malloc(4_MiB, process.side);
    const auto pinned = allocator::pinned_segments(process.allocator.state());
    REQUIRE(pinned.size() == 2);
    CHECK(pinned[0].stream == process.side);
    CHECK(pinned[0].held == 16_MiB);
    CHECK(pinned[1].held == 11_MiB);
}

// Pages of 20 MiB: the block at 25 MiB leaves the third page free, which can be unmapped.
TEST_CASE("an expandable segment holds only what is in no whole free page", "[pinned]") {
    Process process("expandable_segments:True");
    process.free(process.malloc(25_MiB));
    process.malloc(25_MiB);
    process.free(process.malloc(30_MiB));
    const auto pinned = allocator::pinned_segments(process.allocator.state());
    REQUIRE(pinned.size() == 1);
    const std::uint64_t before = process.reserved();
    process.empty_cache();
    const auto after = allocator::pinned_segments(process.allocator.state());
    REQUIRE(after.size() == 1);
    CHECK(before > process.reserved());
    CHECK(pinned[0].held == after[0].held);
    CHECK(after[0].held.count == process.reserved() - (25_MiB).count);
}

}  // namespace highwater
