#include "sim/allocator/free_blocks.hpp"

#include <random>
#include <set>
#include <tuple>

#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

BlockId add(BlockArena& blocks, FreeBlocks& free, Bytes size, std::uint64_t address) {
    Block block;
    block.size = size;
    block.address = Address{address};
    const BlockId id = blocks.add(block);
    free.insert(blocks, id);
    return id;
}

using Reference = std::set<std::tuple<Bytes, Address, BlockId>>;

Bytes random_size(std::mt19937_64& random) {
    const auto bits = random() % 30;
    return Bytes{512} * (1 + random() % (std::uint64_t{1} << bits));
}

void check_order(const BlockArena& blocks, const FreeBlocks& free, const Reference& reference) {
    BlockId here = free.first(blocks);
    BlockId before = kNoBlock;
    for (const auto& [size, address, expected] : reference) {
        REQUIRE(here == expected);
        REQUIRE(free.previous(blocks, here) == before);
        before = here;
        here = free.next(blocks, here);
    }
    REQUIRE(here == kNoBlock);
    REQUIRE(free.last(blocks) == before);
}

}  // namespace

TEST_CASE("an empty set has no first, last or fitting block", "[free_blocks]") {
    const BlockArena blocks;
    const FreeBlocks free;
    CHECK(free.first(blocks) == kNoBlock);
    CHECK(free.last(blocks) == kNoBlock);
    CHECK(free.first_at_least(blocks, 512_B) == kNoBlock);
}

TEST_CASE("the first block at least as large is found across bins and rows", "[free_blocks]") {
    BlockArena blocks;
    FreeBlocks free;
    const std::vector<Bytes> sizes{512_B,
                                   32_KiB,
                                   32_KiB + 512_B,
                                   2_MiB - 512_B,
                                   2_MiB,
                                   2_MiB + 512_B,
                                   3_MiB,
                                   20_MiB,
                                   1_GiB,
                                   Bytes{std::uint64_t{1} << 62U}};
    for (const Bytes size : sizes) {
        add(blocks, free, size, size.count);
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        CHECK(blocks[free.first_at_least(blocks, sizes[i])].size == sizes[i]);
        const Bytes next = sizes[std::min(i + 1, sizes.size() - 1)];
        CHECK(blocks[free.first_at_least(blocks, next - 512_B)].size >= next - 512_B);
    }
    CHECK(blocks[free.first_at_least(blocks, 1_KiB)].size == 32_KiB);
    CHECK(blocks[free.first_at_least(blocks, 3_MiB + 512_B)].size == 20_MiB);
    CHECK(free.first_at_least(blocks, sizes.back() + 512_B) == kNoBlock);
    CHECK(free.first_at_least(blocks, Bytes{UINT64_MAX}) == kNoBlock);
}

TEST_CASE("equal sizes are ordered by address", "[free_blocks]") {
    BlockArena blocks;
    FreeBlocks free;
    const BlockId high = add(blocks, free, 8_MiB, 300);
    const BlockId low = add(blocks, free, 8_MiB, 100);
    const BlockId middle = add(blocks, free, 8_MiB, 200);
    CHECK(free.first_at_least(blocks, 8_MiB) == low);
    CHECK(free.next(blocks, low) == middle);
    CHECK(free.next(blocks, middle) == high);
    CHECK(free.previous(blocks, high) == middle);
}

TEST_CASE("it keeps the order of an ordered set through random changes", "[free_blocks]") {
    const auto seed = GENERATE(1U, 2U, 3U, 4U);
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    BlockArena blocks;
    FreeBlocks free;
    Reference reference;
    const bool one_size = seed == 4;
    for (int step = 0; step < 4000; ++step) {
        if (reference.empty() || random() % 5 < 3) {
            const Bytes size = one_size ? 512_B : random_size(random);
            const std::uint64_t address = random() % (std::uint64_t{1} << 47U);
            reference.insert({size, Address{address}, add(blocks, free, size, address)});
        } else {
            const auto at = std::next(reference.begin(),
                                      static_cast<std::ptrdiff_t>(random() % reference.size()));
            free.erase(blocks, std::get<BlockId>(*at));
            blocks.drop(std::get<BlockId>(*at));
            reference.erase(at);
        }
        const Bytes wanted = random_size(random);
        const auto expected = reference.lower_bound({wanted, Address{0}, BlockId{0}});
        REQUIRE(free.first_at_least(blocks, wanted) ==
                (expected == reference.end() ? kNoBlock : std::get<BlockId>(*expected)));
        if (step % 100 == 0) {
            check_order(blocks, free, reference);
        }
    }
}

}  // namespace highwater
