#include "sim/cli/problems_text.hpp"

#include <string>

#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

std::string text_of(SourcePlace place, const std::string& source) {
    return problems_text({InputError(std::move(place), "bad", "mend")}, {{"s.yaml", source, ""}});
}

}  // namespace

TEST_CASE("a problem is shown with its line and a caret under its column", "[problems]") {
    CHECK(text_of({"s.yaml", 2, 3}, "a\nb cd\n") ==
          "s.yaml:2:3: error: bad; mend\n"
          "  2 | b cd\n"
          "    |   ^\n");
}

TEST_CASE("the caret counts characters, and a tab as one", "[problems]") {
    CHECK(text_of({"s.yaml", 1, 4}, "\xC3\xA9\t\xC3\xA9x") ==
          "s.yaml:1:4: error: bad; mend\n"
          "  1 | \xC3\xA9 \xC3\xA9x\n"
          "    |    ^\n");
}

TEST_CASE("of a long line the part around the column is shown", "[problems]") {
    const std::string text =
        text_of({"s.yaml", 1, 501}, std::string(500, 'a') + "!" + std::string(500, 'b'));
    CHECK(text.find("  1 | ..." + std::string(60, 'a') + "!" + std::string(39, 'b') + "\n") !=
          std::string::npos);
    CHECK(text.find("    | " + std::string(63, ' ') + "^\n") != std::string::npos);
}

TEST_CASE("a problem without a place in a file that was read is its line alone", "[problems]") {
    CHECK(text_of({"--set"}, "a") == "--set: error: bad; mend\n");
    CHECK(text_of({"s.yaml"}, "a") == "s.yaml: error: bad; mend\n");
    CHECK(text_of({"s.yaml", 1}, "a") == "s.yaml:1: error: bad; mend\n  1 | a\n");
    CHECK(text_of({"s.yaml", 9, 9}, "a") ==
          "s.yaml:9:9: error: bad; mend\n  9 | \n    |         ^\n");
}

TEST_CASE("of many problems fifty are shown, and the others counted", "[problems]") {
    const InputError one({"--set"}, "bad", "mend");
    const auto end_of = [&](std::size_t count) {
        const std::string text = problems_text(std::vector<InputError>(count, one), {});
        return text.substr(text.rfind('\n', text.size() - 2) + 1);
    };
    CHECK(end_of(50) == "--set: error: bad; mend\n");
    CHECK(end_of(51) == "and 1 more\n");
    CHECK(end_of(1'000) == "and at least 950 more\n");
}
