#include "sim/plan/buckets/bucket_plan.hpp"

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/engine/run.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;
using Catch::Matchers::ContainsSubstring;
using plan::BatchHistogram;
using plan::BucketListFigures;
using plan::BucketPlan;
using plan::BucketQuestion;

namespace {

constexpr Bytes kOneMiB{1ULL << 20U};

// Outputs of 4 MiB a row that are dropped, held in one pool, or in a pool each.
std::string capturing(const std::string& how) {
    return R"(
  - load_weights
  - warm_up: {buckets: [16], stream: capture}
  - sync
  - empty_cache
  - checkpoint: before
  - capture: {buckets: decode, stream: capture, )" +
           how + R"(}
  - checkpoint: after
  - replay: {buckets: [4]}
)";
}

Scenario decoder_that(const std::string& how) {
    Scenario scenario = small_decoder(capturing(how));
    scenario.machine.total_memory = Bytes{64ULL << 30U};
    return scenario;
}

Scenario with_list(Scenario scenario, const BucketList& list) {
    BucketSpec& spec = scenario.buckets.at(0).spec;
    spec.items.clear();
    for (auto bucket = list.rbegin(); bucket != list.rend(); ++bucket) {
        spec.items.push_back(parse_formula({std::to_string(*bucket), spec.place, false}));
    }
    scenario.steps.pop_back();
    return scenario;
}

// By the scenario's own checkpoints.
Bytes growth_of(const Scenario& scenario, const BucketList& list) {
    const Ledger ledger = run(lowered_of(with_list(scenario, list)).program);
    const auto reserved = [&](std::size_t i) {
        return Bytes{ledger.checkpoints.at(i).stats.reserved_bytes.all.current};
    };
    return reserved(1) - reserved(0);
}

BucketQuestion question_for(BatchHistogram histogram, std::int64_t candidates) {
    BucketQuestion question;
    question.histogram = [=](std::int64_t) { return histogram; };
    question.candidates = range_buckets(1, candidates, 1);
    return question;
}

BatchHistogram falling(std::int64_t largest) {
    BatchHistogram histogram;
    for (std::int64_t batch = 1; batch <= largest; ++batch) {
        histogram.push_back({batch, 1 + largest * largest / batch});
    }
    return histogram;
}

void check_curve(const BucketPlan& plan) {
    REQUIRE(plan.chosen);
    for (std::size_t i = 0; i < plan.curve.size(); ++i) {
        const BucketListFigures& point = plan.curve[i];
        CHECK((point.memory() <= plan.budget) == (i <= *plan.chosen));
        CHECK(point.is_confirmed());
        if (i > 0) {
            CHECK(plan.curve[i - 1].memory() < point.memory());
            CHECK(plan.curve[i - 1].padding > point.padding);
        }
    }
}

}  // namespace

TEST_CASE("the list that is chosen fits, by a run, and the next of the curve does not",
          "[buckets]") {
    const auto how = GENERATE(as<std::string>(), "output: hold", "output: drop", "pool: private");
    const Scenario scenario = decoder_that(how);
    BucketQuestion question = question_for(falling(16), 16);
    question.budget = GENERATE(Bytes{200ULL << 20U}, Bytes{700ULL << 20U});
    const BucketPlan plan = plan_buckets(scenario, {}, question);
    check_curve(plan);
    CHECK(plan.largest_batch == 16);
    for (const BucketListFigures& point : plan.curve) {
        CHECK(point.list.back() == 16);
        CHECK(point.run.growth.reserved == growth_of(scenario, point.list));
    }
    // Beside what the engines have.
    for (const BucketListFigures& other : plan.others) {
        if (other.eager_batches == 0 && other.is_confirmed() && other.memory() <= plan.budget) {
            CHECK(other.padding >= plan.curve[*plan.chosen].padding);
        }
    }
}

TEST_CASE("where each bucket has a pool of its own no list within the budget wastes less",
          "[buckets]") {
    const Scenario scenario = decoder_that("pool: private");
    const BatchHistogram histogram = falling(6);
    BucketQuestion question = question_for(histogram, 6);
    question.budget = Bytes{110 * kOneMiB.count};
    const BucketPlan plan = plan_buckets(scenario, {}, question);
    CHECK(plan.error.most_above == Bytes{});
    CHECK(plan.error.most_below == Bytes{});
    CHECK(plan.error.refused == 0);
    std::int64_t least = INT64_MAX;
    for (std::size_t subset = 0; subset < 1U << 5U; ++subset) {
        BucketList list;
        for (std::int64_t bucket = 1; bucket < 6; ++bucket) {
            if ((subset >> static_cast<std::size_t>(bucket - 1) & 1U) != 0) {
                list.push_back(bucket);
            }
        }
        list.push_back(6);
        if (growth_of(scenario, list) <= plan.budget) {
            std::int64_t rows = 0;
            for (const plan::BatchCount& each : histogram) {
                rows += each.count * (*smallest_bucket_for(each.batch, list) - each.batch);
            }
            least = std::min(least, rows);
        }
    }
    check_curve(plan);
    CHECK(plan.curve[*plan.chosen].padding == least);
}

TEST_CASE("without a budget a list may take what the scenario's own does", "[buckets]") {
    const Scenario scenario = decoder_that("output: hold");
    const BucketPlan plan = plan_buckets(scenario, {}, question_for({{1, 4}, {3, 5}}, 4));
    CHECK(plan.budget == growth_of(scenario, {2, 4}));
    CHECK_FALSE(plan.is_budget_given);
    // Larger ones only waste.
    CHECK(plan.curve.front().list.back() == 3);
    check_curve(plan);
}

TEST_CASE("where not even the largest bucket fits, no list is chosen", "[buckets]") {
    BucketQuestion question = question_for({{16, 1}}, 16);
    question.budget = kOneMiB;
    const BucketPlan plan = plan_buckets(decoder_that("output: hold"), {}, question);
    CHECK_FALSE(plan.chosen);
    CHECK(plan.curve.front().memory() > kOneMiB);
    // Nor where the card is too small for it.
    Scenario small = decoder_that("output: hold");
    small.machine.total_memory = Bytes{160 * kOneMiB.count};
    question.budget = Bytes{1000 * kOneMiB.count};
    const BucketPlan failing = plan_buckets(small, {}, question);
    CHECK_FALSE(failing.chosen);
    CHECK(failing.curve.empty());
}

TEST_CASE("no more buckets are chosen than are allowed", "[buckets]") {
    BucketQuestion question = question_for(falling(16), 16);
    question.budget = Bytes{4ULL << 30U};
    question.max_buckets = 3;
    const BucketPlan plan = plan_buckets(decoder_that("output: hold"), {}, question);
    check_curve(plan);
    CHECK(plan.curve[*plan.chosen].list.size() == 3);
}

TEST_CASE("batches beyond an engine's largest bucket run eagerly, unpadded", "[buckets]") {
    const BucketPlan plan =
        plan_buckets(decoder_that("output: hold"), {}, question_for({{4, 7}, {6, 3}, {8, 2}}, 8));
    // The scenario's own list is 2 and 4.
    CHECK(plan.others.front().eager_batches == 5);
    CHECK(plan.others.front().padding == 0);
}

TEST_CASE("questions about buckets that have no answer are told", "[buckets]") {
    const Scenario scenario = decoder_that("output: hold");
    BucketQuestion question = question_for({{4, 7}}, 4);
    const auto complaint = [&] { return plan_buckets(scenario, {}, question); };
    SECTION("an unknown list") {
        question.set = "decodes";
        CHECK_THROWS_WITH(complaint(), ContainsSubstring("decode"));
    }
    SECTION("too many candidates") {
        question = question_for({{600, 1}}, 600);
        CHECK_THROWS_WITH(complaint(), ContainsSubstring("512"));
    }
    SECTION("time without a cost profile") {
        question.cost = plan::BucketCost::kTime;
        CHECK_THROWS_WITH(complaint(), ContainsSubstring("cost profile"));
    }
    SECTION("no captures") {
        const Scenario eager = small_decoder("\n  - load_weights\n");
        CHECK_THROWS_WITH(plan_buckets(eager, {}, question), ContainsSubstring("captured"));
    }
}
