#include "sim/scenario/suggestion.hpp"

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("a near word is suggested, else the known ones are listed", "[suggestion]") {
    CHECK(suggestion("step", {"streams", "steps"}, "") == "did you mean `steps`?");
    CHECK(suggestion("zebra", {"streams", "steps"}, "") == "known are `streams`, `steps`");
    CHECK(suggestion("zebra", {}, "define it") == "define it");
}

TEST_CASE("a long list of known words is cut", "[suggestion]") {
    const std::vector<std::string> known(13, "steps");
    const std::string listed = suggestion("zebra", known, "");
    CHECK(listed.substr(listed.size() - 5) == ", ...");
}

TEST_CASE("a quoted piece of text is short, on one line, and never half a character",
          "[suggestion]") {
    CHECK(quoted("a\nb") == "a b");
    CHECK(quoted(std::string(60, 'x')) == std::string(60, 'x'));
    CHECK(quoted(std::string(61, 'x')) == std::string(60, 'x') + "...");
    CHECK(quoted(std::string(59, 'x') + "\xC3\xA9") == std::string(59, 'x') + "...");
}
