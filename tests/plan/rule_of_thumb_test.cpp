#include "sim/plan/engines/rule_of_thumb.hpp"

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;
using plan::ThumbRule;

namespace {

ThumbRule rule_of(const std::string& phases) {
    return plan::thumb_rule(small_decoder(phases), {});
}

std::string capture_of(const std::string& pool) {
    return R"(
  - load_weights
  - warm_up: {buckets: [4], stream: capture}
  - capture: {buckets: [16, 8, 4], stream: capture, output: drop, pool: )" +
           pool + "}\n";
}

}  // namespace

TEST_CASE("one pool on one stream needs little more than an eager peak", "[thumb]") {
    const ThumbRule rule = rule_of(capture_of("shared"));
    CHECK(rule.passes == 3);
    // Two tensors of 64 MiB.
    CHECK(rule.eager_peak >= Bytes{128ULL << 20U});
    CHECK(rule.eager_peak < Bytes{140ULL << 20U});
    CHECK(rule.rule == Bytes{rule.eager_peak.count * 13 / 10});
    CHECK(rule.holds());
    CHECK_FALSE(rule.is_cut_short);
}

TEST_CASE("a pool for each graph breaks the rule of thumb", "[thumb]") {
    const ThumbRule one = rule_of(capture_of("shared"));
    const ThumbRule each = rule_of(capture_of("private"));
    CHECK(each.eager_peak == one.eager_peak);
    CHECK(each.need > one.need);
    CHECK_FALSE(each.holds());
}

TEST_CASE("side streams break the rule of thumb the more the more there are", "[thumb]") {
    const std::string file = HIGHWATER_SOURCE_DIR "/scenarios/moe_shared_experts.yaml";
    const Scenario scenario = load_scenario(read_scenario_file(file), file, read_scenario_file);
    const auto with = [&](const char* mode) {
        return plan::thumb_rule(scenario, std::vector<Override>{{"streams_mode", mode}});
    };
    const ThumbRule none = with("none");
    const ThumbRule shared = with("shared");
    const ThumbRule per_layer = with("per-layer");
    CHECK(none.need < shared.need);
    CHECK(shared.need < per_layer.need);
    CHECK_FALSE(per_layer.holds());
}

TEST_CASE("run eagerly, the operations are the same without captures", "[thumb]") {
    const Lowered lowered = lowered_of(small_decoder(capture_of("shared") + "  - sync\n"));
    const Program eager = plan::eager_program(lowered);
    CHECK(eager.ops.size() + 1 == lowered.program.ops.size());
    for (const Op& op : eager.ops) {
        CHECK_FALSE(std::holds_alternative<op::BeginCapture>(op));
    }
}

TEST_CASE("without graphs there is no rule of thumb", "[thumb]") {
    CHECK_THROWS_AS(rule_of("\n  - load_weights\n"), InputError);
}

TEST_CASE("captures that do not fit are told, not taken for a need", "[thumb]") {
    CHECK(rule_of(R"(
  - load_weights
  - alloc: {most: 900 MiB}
  - capture: {buckets: [16], stream: capture}
)")
              .is_cut_short);
}
