#include <cstdlib>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/plan/engines/rules.hpp"
#include "sim/plan/engines/start_up.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::literals;
using plan::VllmTerms;

namespace {

VllmTerms some_terms() {
    return {80_GiB, 0.9, 16_GiB, 2_GiB, 1_GiB, 3_GiB, 1_GiB};
}

}  // namespace

TEST_CASE("vLLM's sum is its share less each term once", "[engines]") {
    const auto sum = plan::vllm_sum(some_terms());
    CHECK(sum.total() == static_cast<std::int64_t>((72_GiB - 22_GiB).count));
    CHECK(sum.terms().size() == 5);
}

TEST_CASE("a term that is subtracted twice is told", "[engines]") {
    plan::EngineSum sum;
    sum.add({"graphs", -5});
    CHECK_THROWS_AS(sum.add({"graphs", -5}), InputError);
    CHECK(sum.total() == -5);
}

TEST_CASE("graphs counted twice make the suggestion low by exactly the estimate", "[engines]") {
    const VllmTerms terms = some_terms();
    CHECK(plan::vllm_suggestion(terms) - plan::vllm_suggestion_counted_twice(terms) ==
          static_cast<std::int64_t>(terms.estimate.count));
}

TEST_CASE("the utilisation that keeps the cache gives the sum without the estimate", "[engines]") {
    VllmTerms without = some_terms();
    without.estimate = Bytes{};
    VllmTerms kept = some_terms();
    kept.utilization = plan::vllm_to_keep(kept);
    const std::int64_t off = plan::vllm_sum(kept).total() - plan::vllm_sum(without).total();
    CHECK(std::abs(off) <= 1);
    without.utilization = plan::vllm_worth(some_terms());
    CHECK(std::abs(plan::vllm_sum(without).total() - plan::vllm_sum(some_terms()).total()) <= 1);
}

TEST_CASE("the estimate takes the second graph for all others, 1 MiB at least", "[engines]") {
    const auto mib = [](std::int64_t count) { return count << 20; };
    CHECK(plan::graph_estimate(51, mib(100), mib(8)).total == 500_MiB);
    CHECK(plan::graph_estimate(51, mib(100), 0).total == 150_MiB);
    CHECK(plan::graph_estimate(51, mib(100), -mib(8)).total == 150_MiB);
    CHECK(plan::graph_estimate(1, mib(100), 0).total == 100_MiB);
    CHECK(plan::graph_estimate(0, 0, 0).total == Bytes{});
}

TEST_CASE("SGLang's fraction on cards of 81,559 and 143,771 MiB", "[engines]") {
    const auto fraction = [](std::uint64_t mib, std::int64_t tp) {
        const Bytes total{mib << 20U};
        const plan::SglangTier tier = plan::sglang_tier(total, tp);
        return plan::sglang_fraction({total, tier.chunk, tier.max_bucket, tp});
    };
    CHECK(fraction(81559, 1) == Approx(0.835).margin(0.0005));
    CHECK(fraction(81559, 8) == Approx(0.818).margin(0.0005));
    CHECK(fraction(143771, 1) == Approx(0.907).margin(0.0006));
    CHECK(fraction(143771, 8) == Approx(0.897).margin(0.0006));
}

TEST_CASE("the reserve has its floor above 60 GiB alone, and grows with each size", "[engines]") {
    CHECK(plan::sglang_reserve({80_GiB, 2048, 8}) == 10240_MiB);
    CHECK(plan::sglang_reserve({24_GiB, 2048, 8}) == 512_MiB + 3072_MiB + 16_MiB + 128_MiB);
    CHECK(plan::sglang_reserve({24_GiB, 100, 8}) == plan::sglang_reserve({24_GiB, 2048, 8}));
    CHECK(plan::sglang_reserve({24_GiB, 2048, 8, 2, 3}) - plan::sglang_reserve({24_GiB, 2048, 8}) ==
          128_MiB * 5);
    CHECK(plan::sglang_reserve({24_GiB, 2048, 8, 1, 1, 42}) -
              plan::sglang_reserve({24_GiB, 2048, 8}) ==
          8_MiB * 42);
}

TEST_CASE("the presets of engines and the rules say the same of every card", "[engines]") {
    const auto gibs = GENERATE(16, 24, 40, 80, 140, 192);
    const auto tp = GENERATE(1, 4, 8);
    const Scenario scenario = load_scenario(
        "scenario: s\nextends: engines/sglang\ndevice: {total_memory: " + std::to_string(gibs) +
            " GiB}\nsteps: []\n",
        "s.yaml",
        read_scenario_file);
    const ParameterValues values =
        resolve_parameters(scenario, std::vector<Override>{{"tp", std::to_string(tp)}});
    const Bytes total = 1_GiB * static_cast<std::uint64_t>(gibs);
    const plan::SglangTier tier = plan::sglang_tier(total, tp);
    CHECK(*values.find("max_bucket") == Value{tier.max_bucket});
    CHECK(*values.find("chunk") == Value{tier.chunk});
    CHECK(as_real(*values.find("memory_fraction")) ==
          Approx(plan::sglang_fraction({total, tier.chunk, tier.max_bucket, tp})));
}

TEST_CASE("a cache has whole blocks, and none where nothing is left", "[engines]") {
    CHECK(plan::tokens_in(1000, Bytes{10}, 16) == 96);
    CHECK(plan::tokens_in(159, Bytes{10}, 16) == 0);
    CHECK(plan::tokens_in(-1000, Bytes{10}, 16) == 0);
}

TEST_CASE("TensorRT-LLM takes its fraction of what is left", "[engines]") {
    CHECK(plan::tensorrt_sum(50_GiB, 0.9).total() == static_cast<std::int64_t>((45_GiB).count));
}
