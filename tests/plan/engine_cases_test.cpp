// What users reported of engines' start-up: cases K01 to K10 of scenarios/README.md.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/plan/engines/engine_plan.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using plan::Engine;
using plan::EnginePlan;
using plan::EngineQuestion;

namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

EngineQuestion vllm(double utilization, bool estimates = true) {
    return {Engine::kVllm, utilization, estimates, {}};
}

EnginePlan plan_of(const std::string& text, const EngineQuestion& question) {
    return plan::plan_engine(load_scenario(text, "case.yaml", read_scenario_file), {}, question);
}

EnginePlan plan_of_case(const std::string& name,
                        const std::vector<Override>& overrides,
                        const EngineQuestion& question) {
    const std::string file = HIGHWATER_SOURCE_DIR "/scenarios/cases/" + name + ".yaml";
    return plan::plan_engine(
        load_scenario(read_scenario_file(file), file, read_scenario_file), overrides, question);
}

// The parts of a start-up that its log names, in GiB.
struct Parts {
    double total = 0;
    double weights = 0;
    double activations = 0;
    double outside = 0;
    double graphs = 0;
    std::string per_token = "64 KiB";
    std::string buckets = "[1]";
    /// Phases before and behind all others.
    std::string before = "";
    std::string behind = "  - warm_up: {buckets: [1000], stream: capture}";
};

std::string start_up(const Parts& parts) {
    return fmt::format(R"yaml(
scenario: case
extends: libraries/serving
device: {{total_memory: floor({} * GiB)}}
cost_profile: none
parameters: {{tp: 8}}
streams: {{capture: {{}}}}
templates:
  layer:
    in: x
    out: y
    weights: {{w: floor({} * GiB)}}
    do: [{{mix: {{in: [x, w], out: {{y: 512}}}}}}]
model:
  out: y
  values: {{held: "floor(if(bucket > 512, {}, {}) * GiB)"}}
  do:
    - embed: {{out: {{x: 512}}, scratch: {{wide: held}}}}
    - layers: 1
      do: [{{layer: {{in: x, out: y}}}}]
phases:
{}
  - load_weights
  - driver_memory: {{name: beside, kind: other, size: floor({} * GiB) + 1, error: 0, source: log}}
  - warm_up: {{buckets: [1000], stream: capture}}
  - empty_cache
  - kv_cache: {{bytes_per_token: {}, tokens: rest, block: 16}}
  - capture: {{buckets: {}, stream: capture, output: drop}}
{}
)yaml",
                       parts.total,
                       parts.weights,
                       parts.activations,
                       parts.graphs,
                       parts.before,
                       parts.outside,
                       parts.per_token,
                       parts.buckets,
                       parts.behind);
}

Parts k04() {
    return {192, 8.58, 9.96, 0.07, 0.65};
}

Parts k05() {
    return {15.77, 7.51, 2.53, 0.39, 1.3};
}

}  // namespace

TEST_CASE("K01: the extrapolation leaves 245,840 of 769,888 tokens", "[engines][cases]") {
    const char* const name = "k01_linear_extrapolation";
    const EnginePlan with = plan_of_case(name, {}, vllm(0.92));
    const EnginePlan without = plan_of_case(name, {}, vllm(0.92, false));
    CHECK(with.tokens == 245'840);
    CHECK(without.tokens == 769'888);
    // The pool is far below the estimate, and both caches would have fitted.
    CHECK(with.start_up.estimate().count >
          20 * static_cast<std::uint64_t>(with.start_up.graphs().device));
    CHECK(with.fits());
    CHECK(without.fits());
    CHECK(with.most->tokens > without.tokens);
}

TEST_CASE("K03: an estimate above the card is implausible", "[engines][cases]") {
    const std::vector<Override> many{{"max_bucket", "2560"}};
    const char* const name = "k01_linear_extrapolation";
    const EnginePlan with = plan_of_case(name, many, vllm(0.92));
    CHECK(with.tokens == 0);
    CHECK_FALSE(with.fits());
    CHECK(std::ranges::any_of(with.warnings, [](const std::string& warning) {
        return warning.starts_with("implausible");
    }));
    // Switched off it runs.
    CHECK(plan_of_case(name, many, vllm(0.92, false)).fits());
}

TEST_CASE("K04: the parts of the log leave 141.27 GiB, and it suggests 141.11",
          "[engines][cases]") {
    const EngineQuestion question = vllm(160.53 / 192);
    const EnginePlan plan = plan_of(start_up(k04()), question);
    // Segments are whole multiples of 2 MiB.
    CHECK(static_cast<double>(plan.sum.total()) / kGiB == Approx(141.27).margin(0.01));
    // Each of five parts is rounded to 0.01 GiB.
    CHECK(static_cast<double>(plan::vllm_suggestion(*plan.vllm)) / kGiB ==
          Approx(151519866880 / kGiB).margin(0.025));
    const EnginePlan first = plan_of(start_up(k04()), vllm(160.53 / 192, false));
    CHECK(static_cast<double>(first.sum.total()) / kGiB == Approx(141.92).margin(0.01));
}

TEST_CASE("K05: the older budget leaves 3.76 GiB, and graphs must fit beyond it",
          "[engines][cases]") {
    const EnginePlan plan = plan_of(start_up(k05()), vllm(0.9, false));
    CHECK(static_cast<double>(plan.sum.total()) / kGiB == Approx(3.763).margin(0.01));
    CHECK(static_cast<double>(plan.tokens) / 16 == Approx(3852).epsilon(0.003));
    CHECK(plan.fits());
    Parts larger = k05();
    larger.graphs = 2;
    const EnginePlan fails = plan_of(start_up(larger), vllm(0.9, false));
    REQUIRE(fails.run);
    CHECK(fails.run->failure);
    CHECK(fails.tokens > fails.most->tokens);
}

TEST_CASE("K06: 0.36 GiB of 23.7 are worth 0.0152 of utilisation", "[engines][cases]") {
    Parts parts{23.7, 10, 1, 0.1, 350.0 / 1024};
    // The first graph and 15 of the least: fitted to 0.36 GiB.
    parts.buckets = "[16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]";
    const EnginePlan plan = plan_of(start_up(parts), vllm(0.82));
    REQUIRE(plan.start_up.estimates.size() == 1);
    CHECK(plan.start_up.estimates.front().graphs == 16);
    CHECK(static_cast<double>(plan.vllm->estimate.count) / kGiB == Approx(0.36).margin(0.005));
    CHECK(plan::vllm_worth(*plan.vllm) == Approx(0.8048).margin(0.00006));
    CHECK(plan::vllm_to_keep(*plan.vllm) == Approx(0.8352).margin(0.00006));
}

TEST_CASE("K07: the suggestion with graphs twice is low by the estimate", "[engines][cases]") {
    const EnginePlan plan = plan_of(start_up(k04()), vllm(160.53 / 192));
    REQUIRE(plan.vllm->estimate > Bytes{});
    CHECK(plan::vllm_suggestion(*plan.vllm) - plan::vllm_suggestion_counted_twice(*plan.vllm) ==
          static_cast<std::int64_t>(plan.start_up.estimate().count));
}

TEST_CASE("K08: without an estimate a full card dies in the capture, and that is told",
          "[engines][cases]") {
    Parts parts{80, 20, 1, 0, 2.5};
    const EnginePlan plan = plan_of(start_up(parts), vllm(0.99, false));
    REQUIRE(plan.run);
    REQUIRE(plan.run->failure);
    CHECK(plan.run->phase == "capture");
    REQUIRE(plan.warnings.size() == 1);
    CHECK(plan.warnings.front().starts_with("nothing is held back for graphs"));
    CHECK(plan_of(start_up(parts), vllm(0.99)).fits());
}

TEST_CASE("K09: what was there before the weights explains what is beyond the budget",
          "[engines][cases]") {
    // Activations: what 29.81 GiB leave beside weights, 19.0 GiB of cache and the graphs.
    const double graphs = 58.0 / 1024;
    Parts parts{31.38, 9.98, 29.81 - 9.98 - 19.0 - 62.0 / 1024, 0, graphs};
    parts.before = "  - call: outside_pytorch";
    parts.behind = "";
    const EnginePlan plan = plan_of(start_up(parts), vllm(29.81 / 31.38));
    REQUIRE(plan.overrun);
    REQUIRE(plan.fits());
    CHECK(static_cast<double>(plan.sum.total()) / kGiB == Approx(19.0).margin(0.02));
    CHECK(static_cast<double>(plan.run->ready.count) / kGiB == Approx(31.18).margin(0.06));
    CHECK(static_cast<double>(plan.overrun->total) / kGiB == Approx(1.37).margin(0.06));
    const auto bytes_of = [&](const char* name) {
        const auto line =
            std::ranges::find(plan.overrun->lines, std::string(name), &plan::EngineTerm::name);
        REQUIRE(line != plan.overrun->lines.end());
        return line->bytes;
    };
    CHECK(bytes_of("pools of graphs") == std::int64_t{62} << 20);
    CHECK(bytes_of("in use before the weights, in no term") > plan.overrun->total);
    std::int64_t sum = 0;
    for (const plan::EngineTerm& line : plan.overrun->lines) {
        sum += line.bytes;
    }
    CHECK(sum == plan.overrun->total);
}

TEST_CASE("K10: the same captures have three figures, one a meter", "[engines][cases]") {
    Parts parts{40, 10, 1, 0, 0.6};
    // Some graphs are in what the context has anyway.
    parts.buckets = "{range: [1, 64, 1], order: desc}";
    std::string text = start_up(parts);
    text.replace(text.find("cost_profile: none"), 18, "cost_profile: h200-cuda13");
    const plan::MeterDelta took = plan_of(text, vllm(0.9)).start_up.graphs();
    CHECK(took.allocated < took.reserved);
    CHECK(took.reserved < took.device);
}
