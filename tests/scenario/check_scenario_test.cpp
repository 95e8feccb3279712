#include <string>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/text/problems.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

// "4:5 unknown step `aloc`": place and problem of each.
std::vector<std::string> problems_of(const std::string& text) {
    std::vector<std::string> all;
    for (const InputError& problem : check_scenario(text, "s.yaml").problems) {
        all.push_back(fmt::format(
            "{}:{} {}", problem.place().line, problem.place().column, problem.problem()));
    }
    return all;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a check tells all that is wrong, in order of place", "[check]") {
    CHECK(problems_of("steps:\n"
                      "- aloc: {x: 1}\n"
                      "- alloc: {y: n, z: 1 +}\n"
                      "- for: {i: 2}\n"
                      "  do: [{sync: nowhere}, freee: x]\n"
                      "- call: p\n"
                      "scenario: t\n"
                      "measures: {a: end.reserved_bytes, b: result.bytes}\n"
                      "parameters: {a: 1 2, b: c}\n") ==
          Lines{"2:3 unknown step `aloc`",
                "3:14 unknown name `n`",
                "3:23 the expression ends where a value should be",
                "5:15 unknown stream `nowhere`",
                "5:25 unknown step `freee`",
                "6:9 unknown procedure `p`",
                "8:15 unknown checkpoint `end`",
                "8:45 unknown figure `bytes`",
                "9:19 `2` stands after the end of the expression",
                "9:25 unknown name `c`"});
}

TEST_CASE("what only follows from a problem is not told", "[check]") {
    // The names that a refused part would have defined.
    CHECK(problems_of("scenario: t\n"
                      "parameters: {n: 1 +, m: n}\n"
                      "streams: {s: {cont: 1, count: 1 +}}\n"
                      "procedures: {p: {do: 3}}\n"
                      "steps:\n"
                      "- alloc: {x: n}\n"
                      "- call: p\n"
                      "- on: s\n"
                      "  do: [chekpoint: end]\n"
                      "measures: {m: end.reserved_bytes}\n") ==
          Lines{"2:20 the expression ends where a value should be",
                "3:15 unknown key `cont` in a stream",
                "3:34 the expression ends where a value should be",
                "4:22 a value where a list of steps should be",
                "9:8 unknown step `chekpoint`"});
    // What a misspelt key is needed for.
    CHECK(problems_of("scenario: t\nstep: [alloc: {x: 1}]\n") ==
          Lines{"2:1 unknown key `step` in a scenario"});
    // A section with the wrong name.
    CHECK(problems_of("scenario: t\nprameters: {n: 1}\nsteps: [alloc: {x: n}]\n") ==
          Lines{"2:1 unknown key `prameters` in a scenario"});
    // An argument with the wrong name.
    CHECK(problems_of("scenario: t\n"
                      "procedures: {p: {parameters: [a, b], do: []}}\n"
                      "steps: [{call: p, with: {a: 1, c: 2}}, {call: p, with: {a: 1}}]\n") ==
          Lines{"3:32 `p` has no parameter `c`", "3:47 the call of `p` lacks `b`"});
}

TEST_CASE("templates, models and phases are checked as far as they go", "[check]") {
    CHECK(problems_of("scenario: t\n"
                      "buckets: {decode: {list: [1, 2], rnge: 3}}\n"
                      "workspaces: {cublas: {sze: 1}}\n"
                      "templates:\n"
                      "  a: {in: x, out: y, do: [norm: {in: x, out: {y: decode.mx}}, a: ]}\n"
                      "  b: {parameters: [w], do: [gemm: {in: z, uses: [cublas, nccl]}]}\n"
                      "  c: {parmeters: [w], do: [{b: {with: {v: 1}}}]}\n"
                      "phases:\n"
                      "- forward: {buckets: decode}\n"
                      "- forward: {model: d, buckets: decode}\n"
                      "- c\n"
                      "- layers: 3\n"
                      "  do: []\n"
                      "expect: [{m: 1}, {}]\n") ==
          Lines{"2:34 unknown key `rnge` in buckets",
                "3:23 unknown key `sze` in a workspace",
                "5:56 `decode.mx` where only parameters are known",
                "5:63 `a` takes 1 tensors, and is given 0",
                "6:58 unknown workspace `nccl`",
                "7:7 unknown key `parmeters` in a template",
                "7:40 `b` has no parameter `v`",
                "9:3 the scenario has no model",
                "10:20 unknown template `d`",
                "12:3 `layers` outside of a template",
                "14:11 unknown measure `m`",
                "14:18 an expectation of nothing"});
}

TEST_CASE("a refused part of a step takes nothing else with it", "[check]") {
    CHECK(problems_of("scenario: t\n"
                      "templates: {a: {weights: {w: 1 +}, do: []}}\n"
                      "steps:\n"
                      "- kv_cache: {tensor: x, bytes_per_token: 1, tokens: 1, stream: 1}\n"
                      "- kv_cache: {bytes_per_token: 1, tokens: 1 +}\n"
                      "- capture: {buckets: 1, output: {copy_to: 1}}\n") ==
          Lines{"2:33 the expression ends where a value should be",
                "4:64 `1` is not a name",
                "5:45 the expression ends where a value should be",
                "6:43 `1` is not a name"});
}

TEST_CASE("templates that use each other in a circle are told once", "[check]") {
    CHECK(problems_of("scenario: t\n"
                      "templates: {a: {do: [b]}, b: {do: [a]}}\n"
                      "steps: [a]\n") == Lines{"2:13 the template `a` comes to use itself"});
}

TEST_CASE("a part that an alias brings twice is told once", "[check]") {
    CHECK(problems_of("scenario: t\nsteps:\n- &a {aloc: {x: 1}}\n- *a\n- *a\n") ==
          Lines{"3:7 unknown step `aloc`"});
}

TEST_CASE("a procedure that calls itself is told once", "[check]") {
    CHECK(
        problems_of("scenario: t\nprocedures: {p: [call: q], q: [call: p]}\nsteps: [call: p]\n") ==
        Lines{"2:38 the procedure `p` comes to call itself"});
}

TEST_CASE("a check ends after a thousand problems", "[check]") {
    std::string text = "scenario: t\nsteps:\n";
    for (int i = 0; i < 5'000; ++i) {
        text += fmt::format("- aloc{}: x\n", i);
    }
    CHECK(problems_of(text).size() == Problems::kMost);
}

TEST_CASE("problems of what is extended come after the scenario's own", "[check]") {
    const FileReader read = [](const std::string&) {
        return std::string("steps: [aloc: {x: 1}]\nstreams: {default: }\n");
    };
    const ScenarioCheck found =
        check_scenario("extends: base.yaml\nscenario: t\nparameters: {n: m}\n", "s.yaml", read);
    REQUIRE(found.problems.size() == 3);
    CHECK(found.problems[0].what() ==
          std::string("s.yaml:3:17: error: unknown name `m`; define it under `parameters`"));
    CHECK(found.problems[1].what() ==
          std::string("base.yaml:1:9: error: unknown step `aloc` (extended by s.yaml:1); did you "
                      "mean `alloc`?"));
    CHECK(found.problems[2].place().line == 2);
    REQUIRE(found.sources.size() == 2);
    CHECK(found.sources[1].chain == "extended by s.yaml:1");
}

TEST_CASE("a text that is not YAML has one problem", "[check]") {
    CHECK(problems_of("a: [\n").size() == 1);
    CHECK(problems_of("").size() == 1);
}
