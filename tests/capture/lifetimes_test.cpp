#include "sim/capture/lifetimes.hpp"

#include <vector>

#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {
Bytes largest(const std::vector<Lifetime>& lifetimes) {
    return largest_live(lifetimes);
}
}  // namespace

TEST_CASE("what ends in a step makes room for what begins in it", "[bounds]") {
    CHECK(largest({{0, 0, 5, 4_MiB}, {1, 5, 9, 3_MiB}}) == 4_MiB);
    CHECK(largest({{0, 0, 6, 4_MiB}, {1, 5, 9, 3_MiB}}) == 7_MiB);
    CHECK_FALSE(overlap({0, 0, 5, 1_B}, {1, 5, 9, 1_B}));
    CHECK(overlap({0, 0, 6, 1_B}, {1, 5, 9, 1_B}));
}

TEST_CASE("what ends no later than it begins is never live", "[bounds]") {
    CHECK(largest({}) == 0_B);
    CHECK(largest({{0, 3, 3, 4_MiB}, {1, 7, 2, 4_MiB}, {2, 0, 9, 1_MiB}}) == 1_MiB);
    CHECK_FALSE(overlap({0, 3, 3, 1_B}, {1, 0, 9, 1_B}));
}

TEST_CASE("MiniMalloc reads a line a lifetime", "[bounds]") {
    const std::vector<Lifetime> lifetimes{{7, 0, 5, 4_KiB}, {8, 2, 9, 1_B}};
    CHECK(to_minimalloc_csv(lifetimes) == "id,lower,upper,size\n7,0,5,4096\n8,2,9,1\n");
}

}  // namespace highwater
