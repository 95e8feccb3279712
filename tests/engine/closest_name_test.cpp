#include "sim/engine/closest_name.hpp"

#include <string>
#include <string_view>
#include <tuple>

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("a slip in a name finds the name that was meant", "[closest_name]") {
    const auto [slip, meant] = GENERATE(table<std::string, std::string>({
        {"aloc", "alloc"},
        {"alllocc", "alloc"},
        {"fre", "free"},
        {"free", "free"},
        {"end_captrue", "end_capture"},
        {"fere", "free"},
        {"FREE", "free"},
    }));
    REQUIRE(closest_name(slip, {"alloc", "free", "end_capture"}) == meant);
}

TEST_CASE("a name that is far from all others finds none", "[closest_name]") {
    const auto name = GENERATE(as<std::string>{}, "", "xy", "teleport", std::string(1000, 'a'));
    REQUIRE_FALSE(closest_name(name, {"alloc", "free", "end_capture"}).has_value());
    REQUIRE(did_you_mean(name, {"alloc"}, "look it up") == "look it up");
}

TEST_CASE("of two names as near the first is taken", "[closest_name]") {
    REQUIRE(closest_name("aux2", {"aux0", "aux1"}) == "aux0");
}
