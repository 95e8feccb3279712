#include <string>
#include <tuple>

#include "tests/allocator/settings_support.hpp"
#include "tests/support/catch.hpp"

// The slots are PyTorch 2.11.0's own, read from its snapshots.
namespace highwater {
namespace {

const std::string kKey = "roundup_power2_divisions:";

TEST_CASE("one number goes to all slots", "[settings][roundup]") {
    const auto divisions = GENERATE(as<std::uint64_t>{}, 1, 2, 8, 1ULL << 63);
    Slots all{};
    all.fill(divisions);
    CHECK(slots_of(accepted(kKey + std::to_string(divisions))) == all);
}

TEST_CASE("one number that is no power of two is refused, 0 among them", "[settings][roundup]") {
    const auto value = GENERATE(as<std::string>{}, "0", "3", "12", "18446744073709551615");
    CHECK(refused(kKey + value) == Kind::kValueError);
}

TEST_CASE("a list sets the slots of its boundaries", "[settings][roundup]") {
    const auto [list, slots] = GENERATE(table<std::string, Slots>({
        {"[64:8,256:4,>:1]", {8, 8, 8, 8, 8, 8, 8, 0, 4, 1, 1, 1, 1, 1, 1, 1}},
        {"[256:1,512:2,1024:4,>:8]", {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8}},
        {"[1:2]", {2}},
        {"[2:2]", {2, 2}},
        {"[4:0,>:8]", {0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
        {"[]", {}},
    }));
    CAPTURE(list);
    CHECK(slots_of(accepted(kKey + list)) == slots);
}

TEST_CASE("only the first boundary of a list fills the slots below it", "[settings][roundup]") {
    const auto [list, slots] = GENERATE(table<std::string, Slots>({
        {"[16:4,4:2,>:8]", {4, 4, 2, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
        {"[8:4,2:16]", {4, 16, 4, 4}},
    }));
    CAPTURE(list);
    CHECK(slots_of(accepted(kKey + list)) == slots);
}

TEST_CASE("> fills the slots above the last boundary before it", "[settings][roundup]") {
    const auto [list, slots] = GENERATE(table<std::string, Slots>({
        {"[4:2,>:8,16:4]", {2, 2, 2, 8, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
        {"[>:8,4:2]", {2, 2, 2, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
        // Before any boundary the last one counts as slot 0, which keeps 0.
        {"[>:8]", {0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
        {"[32768:4,>:8]", {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}},
    }));
    CAPTURE(list);
    CHECK(slots_of(accepted(kKey + list)) == slots);
}

TEST_CASE("boundaries above 32 GiB set the last slot", "[settings][roundup]") {
    Slots all{};
    all.fill(4);
    CHECK(slots_of(accepted(kKey + "[65536:4]")) == all);
    CHECK(slots_of(accepted(kKey + "[9223372036854775808:4]")) == all);
}

TEST_CASE("a boundary that is no power of two is refused", "[settings][roundup]") {
    const auto list = GENERATE(as<std::string>{}, "[0:2]", "[3:2]", "[4:8,5:2]");
    CHECK(refused(kKey + list) == Kind::kValueError);
}

TEST_CASE("divisions in a list are a power of two or 0", "[settings][roundup]") {
    CHECK(slots_of(accepted(kKey + "[1:0]")) == Slots{});
    CHECK(slots_of(accepted(kKey + "[1:1]")) == Slots{1});
    CHECK(refused(kKey + "[1:3]") == Kind::kValueError);
    CHECK(refused(kKey + "[>:3]") == Kind::kValueError);
}

TEST_CASE("a list's divisions are looked at before its boundary", "[settings][roundup]") {
    const Applied outcome = applied(kKey + "[a:3]");
    REQUIRE(outcome.error);
    CHECK(outcome.error->kind() == Kind::kValueError);
    CHECK(outcome.error->offset() == kKey.size() + 3);
}

TEST_CASE("what is no number in a list is refused", "[settings][roundup]") {
    const auto list =
        GENERATE(as<std::string>{}, "[a:2]", "[4:b]", "[>>:2]", "[:4:2]", "[4::2]", "[4:2,,8:4]");
    CHECK(refused(kKey + list) == Kind::kInvalidArgument);
}

TEST_CASE("a list that does not end is refused as an internal assertion", "[settings][roundup]") {
    const auto list = GENERATE(as<std::string>{}, "[", "[4", "[4:", "[4:2", "[4:2,");
    CHECK(refused(kKey + list) == Kind::kInternalAssert);
}

TEST_CASE("the entries of a list before the refused one stay applied", "[settings][roundup]") {
    const auto list = GENERATE(as<std::string>{}, "[4:2,8:3]", "[4:2,8:x", "[4:2", "[4:2,");
    const Applied outcome = applied(kKey + list);
    REQUIRE(outcome.error);
    CHECK(slots_of(outcome.settings) == Slots{2, 2, 2});
}

TEST_CASE("separators in a list are not looked at", "[settings][roundup]") {
    CHECK(slots_of(accepted(kKey + "[4:2:8:4]")) == Slots{2, 2, 2, 4});
    CHECK(slots_of(accepted(kKey + "[4,2,8,4]")) == Slots{2, 2, 2, 4});
    CHECK(slots_of(accepted(kKey + "[4:2,]")) == Slots{2, 2, 2});
    // White space is dropped, so this is 4, 28 and 4.
    CHECK(refused(kKey + "[4:2 8:4]") == Kind::kValueError);
}

// Reading takes the stray bracket for a colon; skipping, in the CUDA parser, for the list's end.
TEST_CASE("a stray bracket in a list is applied first and refused after", "[settings][roundup]") {
    const Applied outcome = applied(kKey + "[4]2,8:4],max_split_size_mb:64");
    REQUIRE(outcome.error);
    CHECK(outcome.error->kind() == Kind::kValueError);
    CHECK(outcome.error->offset() == kKey.size() + 4);
    CHECK(slots_of(outcome.settings) == Slots{2, 2, 2, 4});
    CHECK(outcome.settings.max_split_size == Bytes{64ULL << 20});
}

TEST_CASE("a second list adds to the first", "[settings][roundup]") {
    CHECK(slots_of(accepted(kKey + "[4:2]," + kKey + "[16:0,>:4]")) ==
          Slots{0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4});
    CHECK(slots_of(accepted(kKey + "[>:8]," + kKey + "[4:2]")) ==
          Slots{2, 2, 2, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8});
}

}  // namespace
}  // namespace highwater
