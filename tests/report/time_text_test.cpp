#include "sim/report/time_text.hpp"

#include <string>

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("a time is shown in three digits", "[time_text]") {
    const auto [count, text] = GENERATE(table<std::int64_t, std::string>({
        {0, "0 ns"},
        {1, "1 ns"},
        {999, "999 ns"},
        {1'000, "1.00 us"},
        {1'004, "1.00 us"},
        {1'005, "1.01 us"},
        {9'994, "9.99 us"},
        {9'995, "10.0 us"},
        {99'949, "99.9 us"},
        {99'950, "100 us"},
        {999'499, "999 us"},
        {999'500, "1.00 ms"},
        {1'715'000, "1.72 ms"},
        {40'000'000'000, "40.0 s"},
        {3'600'000'000'000, "3600 s"},
        {-1'500, "-1.50 us"},
        {INT64_MIN, "-9223372037 s"},
    }));
    CHECK(time_text(Duration{count}) == text);
}

TEST_CASE("a share is in percent of a whole, if there is one", "[time_text]") {
    CHECK(share_text(Duration{1}, Duration{8}) == "12.5 %");
    CHECK(share_text(Duration{3}, Duration{2}) == "150.0 %");
    CHECK(share_text(Duration{0}, Duration{0}).empty());
}
