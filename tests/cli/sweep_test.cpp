#include "sim/cli/sweep.hpp"

#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

Scenario sample() {
    return load_scenario(
        "scenario: s\ndevice: h200\n"
        "parameters:\n"
        "  mode: {default: b, choices: [b, a]}\n"
        "  layers: 3\n"
        "  fast: false\n"
        "  conf: {type: text, default: x}\n"
        "  big: {type: boolean, default: layers > 2}\n"
        "steps: [checkpoint: c]\n",
        "s.yaml");
}

std::string error_of(const std::string& swept) {
    try {
        parse_swept(sample(), swept);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

// "b3 b4": the values of each point, in order.
std::string listed(const std::vector<std::vector<Override>>& points) {
    std::string text;
    for (const auto& point : points) {
        text += text.empty() ? "" : " ";
        for (const Override& each : point) {
            text += each.value;
        }
    }
    return text;
}

}  // namespace

TEST_CASE("a sweep takes the values listed, or all choices of the parameter", "[sweep]") {
    REQUIRE(parse_swept(sample(), "layers=1,2,4") == SweptParameter{"layers", {"1", "2", "4"}});
    REQUIRE(parse_swept(sample(), "layers=1") == SweptParameter{"layers", {"1"}});
    REQUIRE(parse_swept(sample(), "mode") == SweptParameter{"mode", {"b", "a"}});
}

TEST_CASE("a boolean is swept over false and true", "[sweep]") {
    REQUIRE(parse_swept(sample(), "fast") == SweptParameter{"fast", {"false", "true"}});
    REQUIRE(parse_swept(sample(), "big") == SweptParameter{"big", {"false", "true"}});
}

TEST_CASE("a value that is missing is refused, but a text may be empty", "[sweep]") {
    const std::string values = GENERATE("", ",1", "1,", "1,,2");
    REQUIRE(error_of("layers=" + values) ==
            "--sweep: error: `layers` lacks a value; list the values: `--sweep layers=1,2`");
    REQUIRE(parse_swept(sample(), "conf=") == SweptParameter{"conf", {""}});
}

TEST_CASE("a value listed twice is refused", "[sweep]") {
    REQUIRE(error_of("layers=1,2,1") ==
            "--sweep: error: `layers` takes `1` twice; list each value once");
}

TEST_CASE("a parameter gets its values from one option", "[sweep]") {
    REQUIRE_NOTHROW(require_set_once({{"a", {"1"}}, {"b", {"1"}}}, {{"c", "1"}}));
    REQUIRE_THROWS_AS(require_set_once({{"a", {"1"}}, {"a", {"2"}}}, {}), InputError);
    REQUIRE_THROWS_AS(require_set_once({{"a", {"1"}}}, {{"a", "1"}}), InputError);
}

TEST_CASE("a sweep over what is not there is refused", "[sweep]") {
    REQUIRE(error_of("layer=1") ==
            "--sweep: error: `layer` is no parameter of s.yaml; did you mean `layers`?");
    REQUIRE(error_of("layers") ==
            "--sweep: error: `layers` may be anything; list the values: `--sweep layers=1,2`");
}

TEST_CASE("all combinations are run, the last parameter changing fastest", "[sweep]") {
    REQUIRE(listed(points_of({{"mode", {"b", "a"}}, {"layers", {"1", "2"}}}, {})) == "b1 b2 a1 a2");
    REQUIRE(listed(points_of({{"mode", {"b", "a"}}}, {{"layers", "9"}})) == "9b 9a");
    REQUIRE(points_of({}, {}).size() == 1);
}

TEST_CASE("a sweep of more points than memory is for is refused", "[sweep]") {
    const std::vector<std::string> values(1000, "1");
    REQUIRE(points_of({{"a", values}, {"b", std::vector<std::string>(100, "1")}}, {}).size() ==
            100'000);
    REQUIRE_THROWS_AS(points_of({{"a", values}, {"b", std::vector<std::string>(101, "1")}}, {}),
                      InputError);
}
