#include "sim/scenario/text/suggestion.hpp"

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("a near word is suggested, else the known ones are listed", "[suggestion]") {
    CHECK(suggestion("step", {"streams", "steps"}, "") == "did you mean `steps`?");
    CHECK(suggestion("zebra", {"streams", "steps"}, "") == "known are `streams`, `steps`");
    CHECK(suggestion("zebra", {}, "define it") == "define it");
}

TEST_CASE("the one known word that begins with the wrong one is suggested", "[suggestion]") {
    const std::vector<std::string> known{"reserved_bytes", "peak_reserved_bytes", "segment"};
    CHECK(suggestion("reserved", known, "") == "did you mean `reserved_bytes`?");
    CHECK(suggestion("peak_reserved", known, "") == "did you mean `peak_reserved_bytes`?");
    CHECK(suggestion("seg", known, "") == "did you mean `segment`?");
    CHECK(suggestion("se", known, "").starts_with("known are "));
    CHECK(suggestion("temp", {"temp_first", "temp_other"}, "") ==
          "known are `temp_first`, `temp_other`");
    CHECK(suggestion("step", {"steps", "step_kinds"}, "") == "did you mean `steps`?");
}

TEST_CASE("a long list of known words is cut", "[suggestion]") {
    const std::vector<std::string> known(13, "steps");
    const std::string listed = suggestion("zebra", known, "");
    CHECK(listed.substr(listed.size() - 5) == ", ...");
}

TEST_CASE("a quoted piece of text is short, on one line, and never half a character",
          "[suggestion]") {
    CHECK(quoted(std::string("a\nb")) == "a b");
    CHECK(quoted(std::string(60, 'x')) == std::string(60, 'x'));
    CHECK(quoted(std::string(61, 'x')) == std::string(60, 'x') + "...");
    CHECK(quoted(std::string(59, 'x') + "\xC3\xA9") == std::string(59, 'x') + "...");
}
