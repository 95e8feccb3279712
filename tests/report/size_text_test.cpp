#include "sim/report/size_text.hpp"

#include <cstdint>
#include <string>
#include <tuple>

#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::literals;

TEST_CASE("a size is written in the largest unit it fills, with one decimal", "[size_text]") {
    const auto [size, text] = GENERATE(table<Bytes, std::string>({
        {0_B, "0 B"},
        {1023_B, "1023 B"},
        {1_KiB, "1.0 KiB"},
        {1_MiB, "1.0 MiB"},
        {706_MiB, "706.0 MiB"},
        {80_GiB, "80.0 GiB"},
        {1_GiB * 1024, "1.0 TiB"},
        {Bytes{std::uint64_t{1} << 60U}, "1.0 EiB"},
        {Bytes{UINT64_MAX}, "16.0 EiB"},
    }));
    REQUIRE(size_text(size) == text);
}

TEST_CASE("a size is rounded to the nearest tenth, halves up", "[size_text]") {
    const auto [size, text] = GENERATE(table<Bytes, std::string>({
        {1024_B + 51_B, "1.0 KiB"},
        {1024_B + 52_B, "1.1 KiB"},
        {2_KiB + 256_B, "2.3 KiB"},
        // 1,023.95 KiB, one byte below and at it.
        {1048524_B, "1023.9 KiB"},
        {1048525_B, "1.0 MiB"},
    }));
    REQUIRE(size_text(size) == text);
}

TEST_CASE("a difference of sizes keeps its sign", "[size_text]") {
    const auto [difference, text] = GENERATE(table<std::int64_t, std::string>({
        {-(std::int64_t{20} << 20), "-20.0 MiB"},
        {-1, "-1 B"},
        {0, "0 B"},
        {1536, "1.5 KiB"},
        {INT64_MIN, "-8.0 EiB"},
        {INT64_MAX, "8.0 EiB"},
    }));
    REQUIRE(size_text(difference) == text);
}

TEST_CASE("a number is grouped by thousands", "[size_text]") {
    const auto [number, text] = GENERATE(table<std::int64_t, std::string>({
        {0, "0"},
        {999, "999"},
        {1000, "1,000"},
        {-740294656, "-740,294,656"},
        {INT64_MIN, "-9,223,372,036,854,775,808"},
    }));
    REQUIRE(grouped(number) == text);
    REQUIRE(grouped(UINT64_MAX) == "18,446,744,073,709,551,615");
}
