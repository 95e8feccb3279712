#include <algorithm>

#include "sim/plan/advice/best_choice.hpp"
#include "sim/plan/advice/plan_advice.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;
using plan::BestChoice;
using plan::Chosen;
using plan::PlanAdvice;
using plan::Tried;

namespace {

const Tried* find_advice(const std::vector<Tried>& all, const std::string& part) {
    const auto found = std::ranges::find_if(
        all, [&](const Tried& each) { return each.text.find(part) != std::string::npos; });
    return found == all.end() ? nullptr : &*found;
}

bool is_left_out(const PlanAdvice& advice, const std::string& part) {
    return std::ranges::any_of(advice.left_out, [&](const plan::LeftOut& each) {
        return each.text.find(part) != std::string::npos && !each.why.empty();
    });
}

constexpr const char* kWasteful = R"(
  - load_weights
  - capture: {buckets: {list: "2,4,8", order: asc}, stream: capture, pool: private}
  - kv_cache: {bytes_per_token: 1 MiB, tokens: 100}
  - replay: {buckets: [2, 4, 8]}
)";

// Each layer's branch on a stream of its own, with scratch that no other stream can have.
Scenario branching(const std::string& streams) {
    return load_scenario(R"(
scenario: branching
device: {total_memory: 4 GiB}
cost_profile: none
parameters: {policy: {type: text, default: per-layer}}
streams: {capture: {}, side: )" +
                             streams + R"(}
templates:
  block:
    in: x
    out: y
    do:
      - branch: {name: b, stream: side, do: [{matmul: {in: x, out: {y: 24 MiB}, scratch: {s: 24 MiB}}}]}
      - join: b
model:
  out: y
  do:
    - embed: {out: {x: 24 MiB}}
    - layers: 6
      do: [{block: {in: x, out: x}}]
    - head: {in: x, out: {y: 1 KiB}}
phases:
  - capture: {buckets: [1], stream: capture}
)",
                         "branching.yaml");
}

}  // namespace

TEST_CASE("what is advised saves in a run what it says", "[advice]") {
    const Scenario scenario = small_decoder(kWasteful);
    const PlanAdvice advice = plan::plan_advice(scenario, {});
    REQUIRE_FALSE(advice.each.empty());
    for (std::size_t i = 0; i < advice.each.size(); ++i) {
        const Tried& each = advice.each[i];
        CHECK((each.saved > 0 || std::ranges::find(advice.parts, i) != advice.parts.end()));
        CHECK(each.saved == static_cast<std::int64_t>(advice.peak.count - each.peak.count));
        CHECK_FALSE(each.is_hazardous());
        CHECK_FALSE(each.change.empty());
    }
    CHECK(std::ranges::is_sorted(advice.each, std::greater<>(), &Tried::saved));
}

TEST_CASE("one pool is as good as a scenario that is written with one", "[advice]") {
    const PlanAdvice advice = plan::plan_advice(small_decoder(kWasteful), {});
    std::string shared = kWasteful;
    shared.replace(shared.find("private"), 7, "shared");
    const plan::PlannedRun run = plan::run_phases(lowered_of(small_decoder(shared)), nullptr);
    const Tried* const pool = find_advice(advice.each, "one pool");
    REQUIRE(pool != nullptr);
    CHECK(pool->peak == plan::worst_of(run).most.total());
    CHECK(pool->change.find("small.yaml:") == 0);
    CHECK(pool->change.find("pool: shared") != std::string::npos);
}

TEST_CASE("the KV tokens gained are those by which the largest cache grows", "[advice]") {
    const Scenario scenario = small_decoder(kWasteful);
    const PlanAdvice advice = plan::plan_advice(scenario, {});
    CHECK(advice.kv_tokens == plan::largest_kv_cache(lowered_of(scenario), nullptr)->tokens);
    CHECK(advice.compared_tokens == 100);
    const Tried& best = advice.each.front();
    REQUIRE(best.kv_tokens);
    CHECK(*best.kv_tokens > 0);
}

TEST_CASE("the best combination saves more than any of its parts", "[advice]") {
    const PlanAdvice advice = plan::plan_advice(small_decoder(kWasteful), {});
    REQUIRE(advice.together);
    REQUIRE(advice.parts.size() > 1);
    for (const std::size_t part : advice.parts) {
        CHECK(advice.together->saved > advice.each[part].saved);
    }
    CHECK_FALSE(advice.together->is_hazardous());
}

TEST_CASE("what is of use only with another one is found", "[advice]") {
    // In pools of their own the order does not matter; in one pool, largest first is best.
    const PlanAdvice advice = plan::plan_advice(load_scenario(R"(
scenario: ordered
device: {total_memory: 4 GiB}
cost_profile: none
streams: {capture: {}}
model:
  out: y
  do:
    - embed: {out: {x: bucket * 30 MiB}}
    - head: {in: x, out: {y: 1 KiB}}
phases:
  - capture: {buckets: [1, 2, 3], stream: capture, pool: private}
)",
                                                              "ordered.yaml"),
                                                {});
    REQUIRE(advice.together);
    CHECK(advice.together->text.find("largest bucket first") != std::string::npos);
    CHECK(advice.together->text.find("one pool") != std::string::npos);
    const Tried* const order = find_advice(advice.each, "largest bucket first");
    REQUIRE(order != nullptr);
    CHECK(order->saved <= 0);
    CHECK_FALSE(is_left_out(advice, "largest bucket first"));
}

TEST_CASE("what does not apply is left out, with the reason", "[advice]") {
    const PlanAdvice advice = plan::plan_advice(small_decoder("\n  - load_weights\n"), {});
    for (const char* part : {"side stream",
                             "largest bucket first",
                             "one pool",
                             "outputs",
                             "weak references",
                             "while capturing",
                             "workspaces",
                             "every second bucket"}) {
        CAPTURE(part);
        CHECK(is_left_out(advice, part));
        CHECK(find_advice(advice.each, part) == nullptr);
    }
    CHECK_FALSE(advice.kv_tokens);
    CHECK_FALSE(advice.together);
}

TEST_CASE("one side stream is as good as a group of one", "[advice]") {
    const auto [per, change] = GENERATE(table<std::string, std::string>(
        {{"layer", "branching.yaml:6: `per: shared`"}, {"policy", "--set policy=shared"}}));
    const PlanAdvice advice = plan::plan_advice(branching("{count: 6, per: " + per + "}"), {});
    const Tried* const side = find_advice(advice.each, "side stream");
    REQUIRE(side != nullptr);
    const plan::PlannedRun run =
        plan::run_phases(lowered_of(branching("{count: 6, per: shared}")), nullptr);
    CHECK(side->peak == plan::worst_of(run).most.total());
    CHECK(side->change == change);
}

TEST_CASE("a stream by its index is the first of a group that is one", "[advice]") {
    Scenario scenario = load_scenario(R"(
scenario: indexed
cost_profile: none
streams: {aux: {count: 4}}
steps:
  - on: aux[2]
    do: [{alloc: {x: 1 MiB}}]
)",
                                      "indexed.yaml");
    scenario.streams.front().is_one = true;
    const Program program = lowered_of(scenario).program;
    CHECK(program.streams.back().name == "aux[0]");
    CHECK(std::get<op::Alloc>(program.ops.front()).stream ==
          StreamId{static_cast<std::uint32_t>(program.streams.size() - 1)});
}

TEST_CASE("a remedy by which results go wrong is not recommended", "[advice]") {
    // Each graph's output is read after all have been replayed.
    const PlanAdvice advice = plan::plan_advice(small_decoder(R"(
  - graph_pool_handle: p
  - graph_pool_handle: q
  - capture: {graph: a, stream: capture, pool: p, do: [{alloc: {x: 20 MiB}}, {kernel: {writes: x}}, {free: x}]}
  - capture: {graph: b, stream: capture, pool: q, do: [{alloc: {y: 20 MiB}}, {kernel: {writes: y}}]}
  - replay: {graph: b, stream: capture}
  - replay: {graph: a}
)"),
                                                {});
    CHECK(find_advice(advice.each, "one pool") == nullptr);
    const Tried* const pool = find_advice(advice.hazardous, "one pool");
    REQUIRE(pool != nullptr);
    CHECK(pool->saved > 0);
}

TEST_CASE("of a scenario that does not fit it is told what makes it fit", "[advice]") {
    const PlanAdvice advice = plan::plan_advice(small_decoder(R"(
  - load_weights
  - capture: {buckets: [8, 7, 6, 5, 4], stream: capture, pool: private}
  - alloc: {rest: 800 MiB}
)"),
                                                {});
    CHECK_FALSE(advice.fits);
    CHECK(advice.peak > Bytes{1ULL << 30U});
    const Tried* const pool = find_advice(advice.each, "one pool");
    REQUIRE(pool != nullptr);
    CHECK(pool->fits);
}

TEST_CASE("a combination is grown from the first, and from the best pair", "[advice]") {
    const std::vector<std::int64_t> alone{10, 8, 7};
    const std::vector<std::string> about{"a", "b", "c"};
    // The first goes with nothing, the others go well together.
    const plan::Saving saving = [](const Chosen& chosen) -> std::optional<std::int64_t> {
        return chosen == Chosen{1, 2} ? 15 : chosen.size() > 1 ? 9 : 0;
    };
    CHECK(plan::best_choice(alone, about, saving) == BestChoice{{1, 2}, 15});
    CHECK_FALSE(plan::best_choice(alone, {"a", "a", "a"}, saving));
    CHECK_FALSE(plan::best_choice({10}, {"a"}, saving));
}

TEST_CASE("what rests on an assumption is told, and not put together", "[advice]") {
    const PlanAdvice advice = plan::plan_advice(load_scenario(R"(
scenario: attending
device: {total_memory: 4 GiB}
cost_profile: none
streams: {capture: {}}
workspaces: {attention: 512 MiB, cublas: 64 MiB}
model:
  out: y
  do:
    - embed: {out: {x: 2 MiB}, uses: [attention, cublas]}
    - head: {in: x, out: {y: 30 MiB}}
phases:
  - forward: {buckets: [1]}
  - capture: {buckets: [2, 1], stream: capture}
)",
                                                              "attending.yaml"),
                                                {});
    const Tried* const halved = find_advice(advice.each, "halve the workspace `attention`");
    REQUIRE(halved != nullptr);
    for (const std::size_t part : advice.parts) {
        CHECK(&advice.each[part] != halved);
    }
    CHECK(halved == &advice.each.back());
}

TEST_CASE("what makes a scenario fail that fits is not recommended", "[advice]") {
    // Given back before the cache is sized, the workspace's memory goes to the cache.
    const PlanAdvice advice = plan::plan_advice(load_scenario(R"(
scenario: tight
device: {total_memory: 1 GiB}
cost_profile: none
workspaces: {cublas: 64 MiB}
model:
  out: y
  do:
    - embed: {out: {x: 4 MiB}, uses: cublas}
    - head: {in: x, out: {y: 32 MiB}}
phases:
  - forward: {buckets: [1]}
  - empty_cache
  - kv_cache: {bytes_per_token: 1 MiB, tokens: rest, keep_free: 54 MiB}
  - forward: {buckets: [1]}
)",
                                                              "tight.yaml"),
                                                {});
    REQUIRE(advice.fits);
    CHECK(find_advice(advice.each, "back after each call") == nullptr);
    const auto left_out = std::ranges::find_if(advice.left_out, [](const plan::LeftOut& each) {
        return each.text.find("back after each call") != std::string::npos;
    });
    REQUIRE(left_out != advice.left_out.end());
    CHECK(left_out->why.find("own KV cache") != std::string::npos);
    for (const Tried& each : advice.each) {
        CHECK(each.fits);
    }
}
