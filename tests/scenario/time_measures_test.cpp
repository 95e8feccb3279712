#include <optional>
#include <string>

#include "sim/engine/run.hpp"
#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/result/claims.hpp"
#include "sim/scenario/result/measures.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

const std::string kSteps =
    "scenario: t\n"
    "streams: {a: {}, c: {}, many: {count: 2}}\n"
    "steps:\n"
    "- kernel: {stream: a, duration: 10 ms}\n"
    "- kernel: {stream: \"many[0]\", duration: 1 ms, width: 0.5}\n"
    "- kernel: {stream: \"many[1]\", duration: 2 ms, width: 0.5}\n"
    "- checkpoint: launched\n"
    "- sync\n"
    "- checkpoint: done\n"
    "- capture: {graph: \"g[1]\", stream: c, do: [kernel: {duration: 3 us}, kernel, kernel]}\n"
    "- capture: {graph: \"g[2]\", stream: c, do: [kernel]}\n"
    "- repeat: 2\n"
    "  do: [replay: \"g[1]\"]\n"
    "- try: bad\n"
    "  do: [{capture: {graph: h, stream: c, do: [{sync: c}]}}]\n"
    "- try: large\n"
    "  do: [{alloc: {x: 500 GiB}}]\n"
    "- {try: good, do: [kernel]}\n"
    "- sync\n";

struct Result {
    Scenario scenario;
    ParameterValues values;
    Program program;
    Ledger ledger;
};

Result run_of(const std::string& text) {
    Scenario scenario = load_scenario(text, "s.yaml");
    const ParameterValues values = resolve_parameters(scenario);
    Program program = lower(scenario, values).program;
    RunOptions options;
    options.costs = scenario.machine.costs ? &*scenario.machine.costs : nullptr;
    Ledger ledger = run(program, options);
    return {std::move(scenario), values, std::move(program), std::move(ledger)};
}

std::string value_of(const std::string& measure, const std::string& top = "") {
    const Result result = run_of(top + kSteps + "measures: {m: '" + measure + "'}\n");
    const std::optional<Value> value =
        evaluate_measures(result.scenario, result.values, result.program, result.ledger)
            .at(0)
            .value;
    return value ? to_text(*value) : "unknown";
}

double number_of(const std::string& measure) {
    return std::stod(value_of(measure));
}

}  // namespace

TEST_CASE("measures know the time of checkpoints", "[measures]") {
    CHECK(number_of("launched.time_ns") > 0);
    CHECK(number_of("launched.time_ns") < 10e6);
    CHECK(number_of("done.time_ns - launched.time_ns") > 9.9e6);
    CHECK(number_of("done.host_waited_ns") > 9.9e6);
    CHECK(number_of("launched.host_waited_ns") == 0);
    CHECK(number_of("done.card_busy_ns") >= 12e6);
    CHECK(number_of("done.host_bound_ns") > 0);
    CHECK(value_of("result.elapsed_ns") == value_of("result.time_ns"));
    CHECK(number_of("result.host_bound_share") ==
          Approx(number_of("result.host_bound_ns") / number_of("result.elapsed_ns")));
}

TEST_CASE("measures know how long streams were at work", "[measures]") {
    CHECK(number_of("busy_ns(a)") == Approx(10e6).epsilon(0.001));
    CHECK(number_of("busy_ns(many)") ==
          number_of("busy_ns(many[0])") + number_of("busy_ns(many[1])"));
    CHECK(value_of("busy_ns(c)") == "0");
}

TEST_CASE("measures know graphs by their names", "[measures]") {
    CHECK(value_of("nodes(g[1])") == "3");
    CHECK(value_of("edges(g[1])") == "2");
    CHECK(value_of("width_of(g[1])") == "1");
    CHECK(value_of("width_of(g)") == "1");
    CHECK(value_of("nodes(g)") == "4");
    CHECK(value_of("replays(g[1])") == "2");
    CHECK(value_of("replays(g[2])") == "0");
    CHECK(value_of("replay_ns(g[2])") == "0");
    CHECK(number_of("replay_ns(g[1])") > 3'000);
    CHECK(number_of("replay_ns(g[1])") < 10'000);
    CHECK(number_of("capture_ns(g[1])") > number_of("capture_ns(g[2])"));
    CHECK(number_of("instantiate_ns(g)") > 0);
}

TEST_CASE("measures know what became of what was tried", "[measures]") {
    CHECK(value_of("bad.failed") == "true");
    CHECK(value_of("bad.cuda_error") == "900");
    CHECK(value_of("bad.out_of_memory") == "false");
    CHECK(value_of("large.failed") == "true");
    CHECK(value_of("large.cuda_error") == "0");
    CHECK(value_of("large.out_of_memory") == "true");
    CHECK(value_of("good.failed") == "false");
    CHECK(value_of("good.cuda_error") == "0");
}

TEST_CASE("no time is known without a cost profile", "[measures]") {
    for (const char* measure : {"done.time_ns",
                                "done.card_busy_ns",
                                "result.elapsed_ns",
                                "busy_ns(a)",
                                "replay_ns(g[1])",
                                "capture_ns(g)"}) {
        CHECK(value_of(measure, "cost_profile: none\n") == "unknown");
    }
    CHECK(value_of("nodes(g[1])", "cost_profile: none\n") == "3");
}

TEST_CASE("a name that no step gives is refused in a measure", "[measures]") {
    const auto [measure, error] = GENERATE(table<std::string, std::string>({
        {"busy_ns(b)", "unknown stream `b`"},
        {"nodes(k)", "unknown graph `k`"},
        {"bad.fialed", "unknown figure `fialed`; did you mean `failed`?"},
        {"done.elapsed_ns", "unknown figure `elapsed_ns`"},
        {"nodes(g, g)", "`nodes` is a measure of a graph that was captured; write `nodes(graph)`"},
    }));
    INFO(measure);
    const std::string text = kSteps + "measures: {m: '" + measure + "'}\n";
    const ScenarioCheck found = check_scenario(text, "s.yaml");
    if (found.problems.empty()) {
        CHECK_THROWS_WITH(value_of(measure), Catch::Matchers::Contains(error));
    } else {
        CHECK_THAT(found.problems.front().what(), Catch::Matchers::Contains(error));
    }
}

TEST_CASE("names of functions of measures may be given to other things", "[measures]") {
    CHECK(error_of("scenario: t\nsteps: [{alloc: {nodes: 8}}]\nmeasures: {edges: 1}\n") ==
          "accepted");
}

TEST_CASE("an expectation may be an error of CUDA", "[expect]") {
    const auto claims = [](const std::string& expected) {
        return claims_of(
            load_scenario("scenario: t\nstreams: {c: {}}\nsteps:\n"
                          "- capture: {graph: g, stream: c, do: [{sync: c}]}\n"
                          "expect: [{cuda_error: " +
                              expected + "}]\n",
                          "s.yaml"));
    };
    const std::vector<Claim> held = claims("900");
    REQUIRE(held.size() == 2);
    CHECK(held[0].holds);
    CHECK(held[1].holds);
    CHECK(held[1].measure == "cuda_error");
    CHECK(claims("904").at(0).holds);
    CHECK_FALSE(claims("904").at(1).holds);
    CHECK(error_of("scenario: t\nsteps: []\nexpect: [{cuda_error: unjoined}]\n")
              .find("3:23: error: `unjoined` where a number of cudaError_t should be") !=
          std::string::npos);
}

TEST_CASE("a capture that another thread ends has CUDA's error, unless it is relaxed", "[claims]") {
    const auto ends_with = [](const std::string& mode, const std::string& outcome) {
        return claims_of(
                   load_scenario("scenario: t\nstreams: {s: {}}\nsteps:\n"
                                 "- capture: {graph: g, stream: s, end_thread: worker, mode: " +
                                     mode + ", do: [kernel]}\nexpect: [{" + outcome + "}]\n",
                                 "s.yaml"))
            .at(0)
            .holds;
    };
    CHECK(ends_with("global", "cuda_error: 908"));
    CHECK(ends_with("thread_local", "cuda_error: 908"));
    CHECK_FALSE(ends_with("relaxed", "cuda_error: 908"));
}

TEST_CASE("padding costs its share of the replays' time", "[serving]") {
    const Result result = run_of(
        "scenario: t\nstreams: {s: {}}\n"
        "model: {out: y, do: [{op: {out: {y: 8}, duration: 1 ms}}]}\n"
        "phases:\n"
        "- capture: {buckets: [4, 2], stream: s}\n"
        "- serve: {buckets: [4, 2], batches: [1, 2, 3, 9]}\n"
        "- sync\n"
        "measures: {wasted_ns: served.padding_ns}\n");
    const Lowered lowered = lower(result.scenario, result.values);
    const auto measures = evaluate_measures(
        result.scenario, result.values, result.program, result.ledger, lowered.served);
    // One of 4 rows in two replays of one bucket, one of 4 in one of the other.
    const double replay = 1e6;
    CHECK(as_real(measures.at(0).value.value()) ==
          Approx(2 * replay / 4 + replay / 4).epsilon(0.001));
}
