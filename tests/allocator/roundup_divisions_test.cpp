#include "sim/allocator/roundup_divisions.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using namespace literals;

TEST_CASE("a slot serves the sizes from one power of two of MiB to the next", "[rounding]") {
    const auto [size, slot] = GENERATE(table<Bytes, std::size_t>({{0_B, 0},
                                                                  {512_B, 0},
                                                                  {1_MiB, 0},
                                                                  {2_MiB - 1_B, 0},
                                                                  {2_MiB, 1},
                                                                  {4_MiB - 1_B, 1},
                                                                  {4_MiB, 2},
                                                                  {1_GiB - 1_B, 9},
                                                                  {1_GiB, 10},
                                                                  {32_GiB - 1_B, 14},
                                                                  {32_GiB, 15},
                                                                  {64_GiB, 15},
                                                                  {Bytes{UINT64_MAX}, 15}}));
    CAPTURE(size.count);
    CHECK(RoundupDivisions::slot_of(size) == slot);
}

TEST_CASE("a number of MiB has the slot of its size, also where bytes would overflow",
          "[rounding]") {
    const auto [mib, slot] = GENERATE(table<std::uint64_t, std::size_t>(
        {{0, 0}, {1, 0}, {2, 1}, {16384, 14}, {32768, 15}, {65536, 15}, {1ULL << 63, 15}}));
    CAPTURE(mib);
    CHECK(RoundupDivisions::slot_of_mib(mib) == slot);
}

TEST_CASE("divisions round something only where a slot is above 1", "[rounding]") {
    RoundupDivisions divisions;
    CHECK_FALSE(divisions.any());
    divisions.fill(0, RoundupDivisions::kSlots, 1);
    CHECK_FALSE(divisions.any());
    divisions.set(15, 2);
    CHECK(divisions.any());
    divisions.set(15, 0);
    CHECK_FALSE(divisions.any());
}

TEST_CASE("setting a slot leaves its neighbours", "[rounding]") {
    RoundupDivisions divisions;
    divisions.set(7, 4);
    CHECK(divisions[6] == 0);
    CHECK(divisions[7] == 4);
    CHECK(divisions[8] == 0);
    CHECK(divisions.divisions_for(128_MiB) == 4);
    CHECK(divisions.divisions_for(256_MiB) == 0);
}

TEST_CASE("filling takes the first slot and leaves out the last", "[rounding]") {
    RoundupDivisions divisions;
    divisions.fill(2, 4, 8);
    CHECK(divisions[1] == 0);
    CHECK(divisions[2] == 8);
    CHECK(divisions[3] == 8);
    CHECK(divisions[4] == 0);
}

}  // namespace
}  // namespace highwater
