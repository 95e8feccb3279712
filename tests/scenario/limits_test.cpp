#include <string>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

std::string error_within(const LoweringLimits& limits, const std::string& steps) {
    const Scenario scenario = load_scenario("scenario: t\nsteps:\n" + steps, "s.yaml");
    try {
        lower(scenario, resolve_parameters(scenario), limits);
        return "accepted";
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a program has a greatest number of operations", "[limits]") {
    const LoweringLimits limits{.max_operations = 100};
    CHECK(error_within(limits, "- {repeat: 100, do: [sync]}\n") == "accepted");
    CHECK(error_within(limits, "- {repeat: 101, do: [sync]}\n") ==
          "s.yaml:3:22: error: the program has more than 100 operations; make its loops shorter, "
          "or allow more (`--max-operations`)");
}

TEST_CASE("the tensors of a kernel count as operations", "[limits]") {
    const LoweringLimits limits{.max_operations = 10};
    const std::string steps =
        "- alloc: {x: 1}\n- {repeat: 2, do: [{kernel: {reads: [x, x, x]}}]}\n";
    CHECK(error_within(limits, steps) == "accepted");
    CHECK(error_within(limits, steps + "- kernel\n- sync\n").find("more than 10 operations") !=
          std::string::npos);
}

TEST_CASE("loops over nothing end, too", "[limits]") {
    const std::string steps =
        "- {repeat: 10000000, do: [{repeat: 10000000, do: [{repeat: 10000000, do: []}]}]}\n";
    CHECK(error_within({.max_work = 100'000}, steps) ==
          "s.yaml:3:51: error: the scenario takes more than 100000 steps to carry out; make its "
          "loops shorter");
}

TEST_CASE("procedures that call others twice do not blow up", "[limits]") {
    std::string text = "scenario: t\nsteps: [call: p0]\nprocedures:\n";
    for (int i = 0; i < 31; ++i) {
        const std::string next = "call: p" + std::to_string(i + 1);
        text += "  p" + std::to_string(i) + ": [" + next + ", " + next + "]\n";
    }
    text += "  p31: []\n";
    const Scenario scenario = load_scenario(text, "s.yaml");
    CHECK_THROWS_AS(lower(scenario, resolve_parameters(scenario), {.max_work = 100'000}),
                    InputError);
}

TEST_CASE("a section has a greatest number of entries", "[limits]") {
    const auto with_streams = [](int count) {
        std::string text = "scenario: t\nsteps: []\nstreams:\n";
        for (int i = 0; i < count; ++i) {
            text += "  s" + std::to_string(i) + ":\n";
        }
        return error_of(text);
    };
    CHECK(with_streams(1'000) == "accepted");
    CHECK(with_streams(1'001) ==
          "s.yaml:1004:3: error: more than 1000 entries in a map of streams; use counts, indices "
          "and loops");
}

TEST_CASE("a file of one long line is read in good time", "[limits]") {
    std::string text = "scenario: t\nsteps: [";
    for (int i = 0; i < 100'000; ++i) {
        text += "sync,";
    }
    CHECK(lowered(text + "]\n").ops.size() == 100'000);
    CHECK(lowered(text + "]\n").places.all().back() == SourcePlace{"s.yaml", 2, 500'004});
}

TEST_CASE("long expressions in loops count as work", "[limits]") {
    std::string sum = "0";
    for (int i = 0; i < 900; ++i) {
        sum += "+0";
    }
    const std::string steps = "- {repeat: 1000, do: [{sync: , when: " + sum + " == 0}]}\n";
    CHECK(error_within({.max_work = 100'000}, steps).find("more than 100000 steps") !=
          std::string::npos);
}
