#include "sim/core/error.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

TEST_CASE("sizes round to multiples, from both sides of each", "[bytes]") {
    const auto [size, up, down] = GENERATE(table<Bytes, Bytes, Bytes>({{0_B, 0_B, 0_B},
                                                                       {1_B, 512_B, 0_B},
                                                                       {511_B, 512_B, 0_B},
                                                                       {512_B, 512_B, 512_B},
                                                                       {513_B, 1_KiB, 512_B}}));
    CHECK(round_up(size, 512_B) == up);
    CHECK(round_down(size, 512_B) == down);
}

TEST_CASE("literals are powers of 1024", "[bytes]") {
    CHECK(1_KiB == 1024_B);
    CHECK(1_MiB == 1024_B * 1024);
    CHECK(1_GiB == 1_MiB * 1024);
}

TEST_CASE("addresses and sizes add up", "[address]") {
    const Address base{0x1000};
    CHECK(base + 512_B == Address{0x1200});
    CHECK(base + 512_B - base == 512_B);
}

TEST_CASE("bad input says where, what and what to do in one line", "[error]") {
    const auto [place, text] = GENERATE(table<SourcePlace, std::string>({
        {{"a.yaml", 3, 7}, "a.yaml:3:7: error: no such unit; write MiB"},
        {{"a.yaml", 3, 0}, "a.yaml:3: error: no such unit; write MiB"},
        {{"--set", 0, 0}, "--set: error: no such unit; write MiB"},
    }));
    const InputError error(place, "no such unit", "write MiB");
    CHECK(error.what() == text);
    CHECK(error.place() == place);
}

}  // namespace highwater
