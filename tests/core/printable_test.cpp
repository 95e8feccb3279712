#include "sim/core/printable.hpp"

#include "sim/core/error.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using namespace std::string_literals;

TEST_CASE("text that a terminal may have is printed as it is", "[printable]") {
    const auto* text = GENERATE("", "a::b<c>(int) ~", "Gedächtnis", "記憶 🙂");
    CHECK(printable(text) == text);
}

TEST_CASE("what a terminal would obey is printed as numbers", "[printable]") {
    CHECK(printable("\x1b[31mred"s) == "\\x1b[31mred");
    CHECK(printable("a\nb\tc\rd\x7f"s) == "a\\nb\\tc\\x0dd\\x7f");
    CHECK(printable("a\0b"s) == "a\\x00b");
    // The one-byte form of ESC [, as UTF-8.
    CHECK(printable("\xC2\x9B"s + "31m") == "\\x9b31m");
}

TEST_CASE("bytes that are no UTF-8 are printed as numbers", "[printable]") {
    CHECK(printable("a\xFFz"s) == "a\\xffz");
    CHECK(printable("cut \xE8\xA8"s) == "cut \\xe8\\xa8");
}

TEST_CASE("a message is one line that a terminal may have", "[printable]") {
    const InputError error({"a\x1b]0;b"}, "one\ntwo", "three");
    CHECK(error.what() == "a\\x1b]0;b: error: one\\ntwo; three"s);
}

}  // namespace
}  // namespace highwater
