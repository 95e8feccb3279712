#include "sim/plan/fit/card_fit.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/plan/fit/sequences_fit.hpp"
#include "sim/plan/fit/target.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;
using plan::SettableScenario;
using plan::Setting;
using plan::TargetAnswer;

namespace {

constexpr const char* kCached = R"(
  - load_weights
  - capture: {buckets: decode, stream: capture}
  - kv_cache: {bytes_per_token: 64 KiB, block: 16, tokens: rest}
)";

TargetAnswer target(const Scenario& scenario,
                    const plan::Target& wanted,
                    const std::vector<plan::ParameterRange>& varied) {
    return plan::reach_target(SettableScenario(scenario, {}, "--vary"), wanted, varied);
}

// What is reserved has its least at n = 30, m = 0.
Scenario valley() {
    return load_scenario(R"(
scenario: valley
device: {total_memory: 8 GiB}
cost_profile: none
parameters: {n: 80, m: 8}
steps:
  - alloc: {a: (20 + abs(n - 30) + 10 * m) * 2 MiB}
measures: {used_mib: result.reserved_bytes // MiB}
)",
                         "valley.yaml");
}

}  // namespace

TEST_CASE("so many sequences fit, and one more does not", "[inverse]") {
    const auto length = GENERATE(std::int64_t{1}, 16, 100, 2048);
    const Lowered lowered = lowered_of(small_decoder(kCached));
    const auto fit = plan::most_sequences(lowered, length, nullptr);
    REQUIRE(fit);
    CHECK(fit->tokens_each >= length);
    CHECK(fit->tokens_each % 16 == 0);
    const auto fails = [&](std::int64_t sequences) {
        const Lowered with = plan::with_kv_cache(lowered, sequences * fit->tokens_each);
        return plan::run_phases(with, nullptr).ledger.failure.has_value();
    };
    CHECK_FALSE(fails(fit->sequences));
    CHECK(fails(fit->sequences + 1));
}

TEST_CASE("a sequence longer than the cache can be does not fit once", "[inverse]") {
    const auto fit = plan::most_sequences(lowered_of(small_decoder(kCached)), 1'000'000, nullptr);
    REQUIRE(fit);
    CHECK(fit->sequences == 0);
    CHECK_FALSE(
        plan::most_sequences(lowered_of(small_decoder("\n  - load_weights\n")), 1, nullptr));
}

TEST_CASE("on the smallest card it runs, and with one MiB less it does not", "[inverse]") {
    const std::string phases =
        GENERATE(as<std::string>{}, std::string(kCached), "\n  - alloc: {x: 3 GiB}\n");
    const Scenario scenario = small_decoder(phases);
    const plan::SmallestCard card = plan::smallest_card(scenario, {});
    REQUIRE(card.capacity);
    const auto fits = [&](Bytes capacity) {
        plan::PlanQuestions on;
        on.kv_cache = false;
        return plan::make_plan(plan::on_card(scenario, capacity), {}, on).fits();
    };
    CHECK(fits(*card.capacity));
    CHECK_FALSE(fits(*card.capacity - Bytes{1ULL << 20U}));
    REQUIRE(card.known.size() >= 2);
    for (const plan::KnownCard& each : card.known) {
        CHECK(each.fits == (each.capacity >= *card.capacity));
    }
}

TEST_CASE("the largest bucket of a set is asked for by the set's name", "[inverse]") {
    plan::PlanQuestions questions;
    questions.kv_cache = false;
    questions.largest = plan::ParameterRange{"decode", 2, 4};
    const plan::Plan plan = plan::make_plan(small_decoder(R"(
  - load_weights
  - capture: {buckets: decode, stream: capture}
  - alloc: {x: 922 MiB}
)"),
                                            {},
                                            questions);
    REQUIRE(plan.largest);
    CHECK_FALSE(plan.fits());
    // Beside it 2 rows take 96 MiB and 4 rows 108 MiB.
    CHECK(plan.largest->value == std::optional<std::int64_t>(3));
}

TEST_CASE("a name that is neither a parameter nor a set of buckets is refused", "[inverse]") {
    const Scenario scenario = small_decoder(kCached);
    const SettableScenario settable(scenario, {}, "--vary");
    CHECK_THROWS_WITH(settable.lowered_with(std::vector<Setting>{{"layer", 3}}),
                      Catch::Contains("`layers`"));
}

TEST_CASE("a target of tokens is reached with the fewest changes", "[inverse]") {
    const Scenario scenario = small_decoder(kCached);
    const auto tokens_with = [&](std::int64_t layers) {
        const SettableScenario settable(scenario, {}, "--vary");
        return plan::largest_kv_cache(
                   settable.lowered_with(std::vector<Setting>{{"layers", layers}}), nullptr)
            ->tokens;
    };
    const auto wanted = static_cast<double>(tokens_with(2));
    const TargetAnswer answer = target(scenario, {"kv_tokens", wanted}, {{"layers", 1, 8}});
    CHECK_FALSE(answer.is_reached_already);
    REQUIRE(answer.found.size() == 1);
    CHECK(answer.found[0].settings == std::vector<Setting>{{"layers", 2}});
    CHECK(answer.found[0].value == wanted);
    CHECK(tokens_with(3) < tokens_with(2));
}

TEST_CASE("what is reached already needs no setting", "[inverse]") {
    const TargetAnswer answer =
        target(small_decoder(kCached), {"kv_tokens", 16}, {{"layers", 1, 8}});
    CHECK(answer.is_reached_already);
    CHECK(answer.found.empty());
    CHECK(answer.own.value > 16);
}

TEST_CASE("a valley between the ends of a range is found", "[inverse]") {
    // Neither n = 0 nor n = 80 is enough with any m; at n = 30 it is 200 MiB with m = 8.
    const TargetAnswer answer = target(valley(), {"used_mib", 220, true}, {{"n", 0, 80}});
    REQUIRE(answer.found.size() == 1);
    CHECK(answer.found[0].settings[0].value >= 20);
    CHECK(answer.found[0].settings[0].value <= 40);
    CHECK(answer.found[0].value <= 220);
}

TEST_CASE("where no number alone is enough several are varied", "[inverse]") {
    const std::vector<plan::ParameterRange> varied{{"n", 40, 80}, {"m", 0, 8}};
    const TargetAnswer answer = target(valley(), {"used_mib", 120, true}, varied);
    REQUIRE(answer.found.size() == 1);
    REQUIRE(answer.found[0].settings.size() == 2);
    CHECK(answer.found[0].value <= 120);
}

TEST_CASE("what cannot be reached comes with what is nearest, and who is in the way", "[inverse]") {
    const Scenario scenario = small_decoder(kCached);
    const TargetAnswer answer =
        target(scenario, {"kv_tokens", 1'000'000}, {{"layers", 1, 8}, {"decode", 2, 4}});
    CHECK(answer.found.empty());
    REQUIRE(answer.nearest);
    CHECK(answer.nearest->settings == std::vector<Setting>{{"layers", 1}, {"decode", 2}});
    REQUIRE(answer.in_the_way);
    CHECK(answer.in_the_way->capacity == Bytes{1ULL << 30U});
    CHECK(*answer.wanted > answer.in_the_way->capacity);
}

TEST_CASE("targets and ranges that cannot be are refused", "[inverse]") {
    const Scenario scenario = small_decoder("\n  - load_weights\n");
    CHECK_THROWS_WITH(target(scenario, {"kv_tokens", 1}, {}), Catch::Contains("no KV cache"));
    CHECK_THROWS_WITH(target(valley(), {"used", 1}, {}), Catch::Contains("`used_mib`"));
    CHECK_THROWS_WITH(target(valley(), {"used_mib", 1}, {{"n", 5, 4}}),
                      Catch::Contains("5 is more than 4"));
    CHECK_THROWS_WITH(target(valley(), {"used_mib", 1}, {{"n", 1, 4}, {"n", 2, 3}}),
                      Catch::Contains("twice"));
}
