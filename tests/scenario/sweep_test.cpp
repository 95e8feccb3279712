#include "sim/scenario/description/sweep.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/check/check_sweep.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

const std::string kBefore =
    "scenario: t\n"
    "parameters: {layers: {default: 3, max: 64}, mode: {default: b, choices: [b, a]}, fast: true, "
    "text: {type: text, default: x}}\n"
    "steps: []\n"
    "sweep: ";

Scenario with(const std::string& sweep) {
    return load_scenario(kBefore + sweep, "s.yaml");
}

// "layers=1 mode=b; layers=2 mode=b".
std::string points_of(const std::string& sweep, const std::vector<Override>& fixed = {}) {
    const Scenario scenario = with(sweep);
    std::string text;
    for (const SweepPoint& point :
         sweep_points(axes_without(scenario.sweep, fixed), fixed, {"s.yaml"})) {
        text += text.empty() ? "" : "; ";
        std::string settings;
        for (const Override& each : point) {
            settings += fmt::format("{}{}={}", settings.empty() ? "" : " ", each.name, each.value);
        }
        text += settings;
    }
    return text;
}

std::string error_of_sweep(const std::string& sweep) {
    try {
        const Scenario scenario = with(sweep);
        Problems problems(Problems::Mode::kThrowFirst);
        check_sweep_values(scenario, sweep_points(scenario.sweep, {}, {"s.yaml", 4}), problems);
        return "accepted";
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a map of lists is a grid, the last parameter changing fastest", "[sweep]") {
    CHECK(points_of("{layers: [1, 2], mode: [b, a]}") ==
          "layers=1 mode=b; layers=1 mode=a; layers=2 mode=b; layers=2 mode=a");
    CHECK(points_of("{mode: all}") == "mode=b; mode=a");
    CHECK(points_of("{fast: all}") == "fast=false; fast=true");
    CHECK(points_of("") == "");
}

TEST_CASE("zipped lists are walked together, against the rest of the grid", "[sweep]") {
    CHECK(points_of("{zip: {layers: [1, 2], mode: [b, a]}}") == "layers=1 mode=b; layers=2 mode=a");
    CHECK(points_of("{fast: [true, false], zip: {layers: [1, 2], mode: [a, a]}}") ==
          "fast=true layers=1 mode=a; fast=true layers=2 mode=a; fast=false layers=1 mode=a; "
          "fast=false layers=2 mode=a");
}

TEST_CASE("a list of maps gives the points themselves", "[sweep]") {
    CHECK(points_of("[{layers: 1}, {layers: 2, mode: a}, {}]") == "layers=1; layers=2 mode=a; ");
    CHECK(swept_parameters(with("[{layers: 1}, {mode: a, layers: 2}]").sweep) ==
          std::vector<std::string>{"layers", "mode"});
}

TEST_CASE("what is fixed is no longer swept", "[sweep]") {
    CHECK(points_of("{layers: [1, 2], mode: all}", {{"layers", "7"}}) ==
          "layers=7 mode=b; layers=7 mode=a");
    CHECK(points_of("{zip: {layers: [1, 2, 3], mode: [b, a, a]}}", {{"layers", "7"}}) ==
          "layers=7 mode=b; layers=7 mode=a");
    CHECK(points_of("[{layers: 1, mode: b}, {layers: 2, mode: b}]", {{"layers", "7"}}) ==
          "layers=7 mode=b");
    CHECK(points_of("{layers: [1, 2]}", {{"layers", "7"}}) == "layers=7");
}

TEST_CASE("a sweep that cannot be is refused at its place", "[sweep]") {
    const auto [sweep, error] = GENERATE(table<std::string, std::string>({
        {"{layer: [1]}", "4:9: error: `layer` is no parameter; did you mean `layers`?"},
        {"{layers: []}", "4:17: error: nothing in a list of values, or `all`; list at least one"},
        {"{layers: 8}",
         "4:17: error: a value where a list of values, or `all` should be; write a list of "
         "values, or `all`"},
        {"{layers: all}",
         "4:9: error: `layers` may be anything; list the values: `layers: [1, 2]`"},
        {"{layers: [1, 2, 1]}", "4:24: error: `layers` takes `1` twice; list each value once"},
        {"{layers: [[1]]}", "4:18: error: a list where a value should be; write a value"},
        {"{layers: [1], zip: {layers: [2]}}",
         "4:28: error: `layers` is swept over twice; list all its values in one place"},
        {"{zip: {layers: [1, 2], mode: [a]}}",
         "4:37: error: `mode` has 1 values, and `layers` has 2; give each parameter under `zip` "
         "as many"},
        {"{zip: {}}", "4:14: error: nothing to zip; list parameters and their values"},
        {"[]", "4:8: error: nothing in a list of points; list at least one"},
        {"[{layer: 1}]", "4:10: error: `layer` is no parameter; did you mean `layers`?"},
        {"3",
         "4:8: error: a value where a map of parameters and values should be; write a map of "
         "parameters and values"},
        {"{mode: [a, c]}", "4:19: error: `mode` is `c`; choose one of `b`, `a`"},
        {"{layers: [1, 65]}", "4:21: error: `layers` is 65; keep it at 64 or less"},
        {"{layers: [1, x]}", "4:21: error: `layers=x`: unknown name `x`; give it a number"},
    }));
    CHECK(error_of_sweep(sweep) == "s.yaml:" + error);
}

TEST_CASE("a sweep of more points than memory is for is refused in the file, too", "[sweep]") {
    std::string values = "1";
    std::string texts = "a";
    for (int i = 2; i <= 400; ++i) {
        values += fmt::format(", {}", i);
        texts += fmt::format(", a{}", i);
    }
    CHECK(error_of_sweep(fmt::format("{{layers: [{}], text: [{}]}}", values, texts)) ==
          "s.yaml:4: error: there are more than 100000 points; sweep over fewer values");
}

TEST_CASE("a check gathers the problems of a sweep", "[sweep]") {
    const ScenarioCheck found =
        check_scenario(kBefore + "{layer: [1], mode: 3, fast: [true, true]}", "s.yaml");
    CHECK(found.problems.size() == 3);
    Problems problems(Problems::Mode::kGather);
    const Scenario scenario = with("{mode: [a, c, d], layers: [1, 2, 70]}");
    const auto points = sweep_points(scenario.sweep, {}, {"s.yaml"});
    check_sweep_values(scenario, points, problems);
    CHECK(problems.all().size() == 3);
}
