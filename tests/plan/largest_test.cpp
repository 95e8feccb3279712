#include "sim/plan/fit/largest.hpp"

#include <limits>

#include "tests/support/catch.hpp"

using namespace highwater::plan;

TEST_CASE("the largest that fits is found wherever it is, with any guess", "[largest]") {
    const auto limit = GENERATE(std::int64_t{0}, 1, 2, 7, 50, 99, 100, 1000);
    const auto guess = GENERATE(std::int64_t{-3}, 0, 1, 6, 50, 98, 101);
    const Fits fits = [&](std::int64_t n) { return n <= limit; };
    CHECK(largest({0, 100}, fits) == std::min<std::int64_t>(limit, 100));
    CHECK(largest({0, 100}, fits, guess) == std::min<std::int64_t>(limit, 100));
}

TEST_CASE("where not even the least fits there is no largest", "[largest]") {
    CHECK_FALSE(largest({1, 100}, [](std::int64_t) { return false; }));
    CHECK_FALSE(largest({2, 1}, [](std::int64_t) { return true; }));
}

TEST_CASE("the smallest that fits is the largest's mirror image", "[largest]") {
    const auto limit = GENERATE(std::int64_t{1}, 40, 100);
    CHECK(smallest({1, 100}, [&](std::int64_t n) { return n >= limit; }) == limit);
    CHECK_FALSE(smallest({1, 100}, [](std::int64_t) { return false; }));
}

TEST_CASE("near a good guess few questions are asked", "[largest]") {
    std::size_t asked = 0;
    const Fits fits = [&](std::int64_t n) {
        ++asked;
        return n <= 500'000;
    };
    REQUIRE(largest({1, 1'000'000}, fits, 500'001) == 500'000);
    CHECK(asked <= 5);
}

TEST_CASE("a range up to the largest number there is has no end to run over", "[largest]") {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    CHECK(largest({0, kMost}, [](std::int64_t n) { return n <= 496; }) == 496);
}
