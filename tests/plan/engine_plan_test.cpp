#include "sim/plan/engines/engine_plan.hpp"

#include <string>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/plan/engines/flags.hpp"
#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;
using plan::Engine;
using plan::EnginePlan;
using plan::EngineQuestion;

namespace {

constexpr const char* kServing = R"(
  - load_weights
  - warm_up: {buckets: [16], stream: capture}
  - sync
  - empty_cache
  - kv_cache: {bytes_per_token: 256 KiB, block: 16, tokens: rest}
  - capture: {buckets: decode, stream: capture}
  - warm_up: {buckets: [16], stream: capture}
)";

EnginePlan plan_of(const EngineQuestion& question, const std::string& phases = kServing) {
    return plan::plan_engine(small_decoder(phases), {}, question);
}

EngineQuestion of(Engine engine) {
    return {engine, {}, true, {}};
}

std::int64_t mib(std::int64_t count) {
    return count << 20;
}

}  // namespace

TEST_CASE("the figures of a start-up come from a run of the scenario", "[engines]") {
    const EnginePlan plan = plan_of(of(Engine::kVllm));
    CHECK(plan.start_up.weights().count == static_cast<std::uint64_t>(mib(40)));
    CHECK(plan.start_up.captures.size() == 2);
    CHECK(plan.start_up.captures[0].graph == "graph[4]");
    CHECK(plan.start_up.captures[0].bucket == 4);
    REQUIRE(plan.start_up.profiled);
    // Two tensors of 64 MiB and the workspace.
    CHECK(plan.start_up.activations().count == static_cast<std::uint64_t>(mib(64 + 64 + 32)));
    CHECK(plan.warnings.empty());
}

TEST_CASE("what graphs take is what the card has less behind them", "[engines]") {
    const EnginePlan plan = plan_of(of(Engine::kVllm));
    plan::MeterDelta sum;
    for (const plan::CaptureCost& capture : plan.start_up.captures) {
        sum.device += capture.took.device;
        sum.reserved += capture.took.reserved;
        sum.allocated += capture.took.allocated;
    }
    CHECK(sum == plan.start_up.graphs());
    // Without a cost profile the driver has nothing.
    CHECK(sum.device == sum.reserved);
    CHECK(plan.start_up.estimate().count >= static_cast<std::uint64_t>(sum.device));
}

TEST_CASE("advice is the most that fits, and runs to the end", "[engines]") {
    const auto engine = GENERATE(Engine::kVllm, Engine::kSglang, Engine::kTensorrtLlm);
    const EnginePlan plan = plan_of(of(engine));
    REQUIRE(plan.most);
    REQUIRE(plan.advice);
    CHECK_FALSE(plan.advice->run.failure);
    CHECK(plan.advice->run.tokens <= plan.most->tokens);
    if (plan.advice->share && engine != Engine::kVllm) {
        const auto tokens_with = [&](double share) {
            return plan::tokens_in(
                plan::sum_with(plan, share).total(), plan.per_token, plan.block_tokens);
        };
        CHECK(plan.advice->run.tokens == tokens_with(*plan.advice->share));
        // The next setting is too much, or no more.
        const std::int64_t next = tokens_with(*plan.advice->share + 0.001);
        CHECK((next > plan.most->tokens || next == plan.advice->run.tokens));
    }
    CHECK(plan.advice->flags.find("--") == 0);
}

TEST_CASE("the flags name the setting and the captured buckets, ascending", "[engines]") {
    const EnginePlan sglang = plan_of(of(Engine::kSglang));
    REQUIRE(sglang.advice);
    CHECK(sglang.advice->flags.find("--mem-fraction-static 0.") == 0);
    CHECK(sglang.advice->flags.ends_with(" --cuda-graph-bs 2 4"));
    const EnginePlan vllm = plan_of(of(Engine::kVllm));
    REQUIRE(vllm.advice);
    CHECK(vllm.advice->flags.ends_with(
        fmt::format("--kv-cache-memory-bytes {} --cuda-graph-sizes 2 4",
                    static_cast<std::uint64_t>(vllm.most->tokens) * vllm.per_token.count)));
}

TEST_CASE("a setting that asks for too much ends where it runs out", "[engines]") {
    EngineQuestion question = of(Engine::kSglang);
    question.share = 0.95;
    const EnginePlan plan = plan_of(question);
    REQUIRE(plan.run);
    REQUIRE(plan.run->failure);
    CHECK(plan.run->phase == "capture");
    CHECK_FALSE(plan.fits());
    CHECK(plan.tokens > plan.most->tokens);
}

TEST_CASE("TensorRT-LLM takes no more than its most tokens", "[engines]") {
    EngineQuestion question = of(Engine::kTensorrtLlm);
    const std::int64_t by_share = plan_of(question).tokens;
    question.max_tokens = 100;
    CHECK(plan_of(question).tokens == 96);
    question.max_tokens = by_share + 1000;
    CHECK(plan_of(question).tokens == by_share);
}

TEST_CASE("two modes are estimated from two graphs each", "[engines]") {
    const EnginePlan plan = plan_of(of(Engine::kVllm), R"(
  - load_weights
  - warm_up: {buckets: [16], stream: capture}
  - capture: {buckets: [8, 6, 4, 2], stream: capture, output: drop}
  - capture: {buckets: [3, 2, 1], graph: full, stream: capture, output: drop}
  - kv_cache: {bytes_per_token: 256 KiB, block: 16, tokens: 16}
)");
    REQUIRE(plan.start_up.estimates.size() == 2);
    CHECK(plan.start_up.estimates[0].graphs == 4);
    CHECK(plan.start_up.estimates[1].graphs == 3);
    CHECK(plan.start_up.captures.size() == 7);
}

TEST_CASE("segments of one bucket are one capture", "[engines]") {
    const EnginePlan plan = plan_of(of(Engine::kVllm), R"(
  - load_weights
  - warm_up: {buckets: [16], stream: capture}
  - capture: {buckets: decode, stream: capture, segments: weak}
  - kv_cache: {bytes_per_token: 256 KiB, block: 16, tokens: 16}
)");
    CHECK(plan.start_up.captures.size() == 2);
}

TEST_CASE("a pass that was not profiled is told", "[engines]") {
    const EnginePlan plan = plan_of(of(Engine::kVllm), R"(
  - load_weights
  - warm_up: {buckets: [2], stream: capture}
  - capture: {buckets: decode, stream: capture}
  - kv_cache: {bytes_per_token: 256 KiB, block: 16, tokens: 16}
  - warm_up: {buckets: [16], stream: capture}
)");
    REQUIRE(plan.warnings.size() == 1);
    CHECK(plan.warnings.front().find("a pass behind the captures") == 0);
}

TEST_CASE("without weights, a cache or a share there is nothing to plan", "[engines]") {
    CHECK_THROWS_AS(plan_of(of(Engine::kVllm), "\n  - load_weights\n"), InputError);
    CHECK_THROWS_AS(
        plan_of(of(Engine::kVllm), "\n  - kv_cache: {bytes_per_token: 1 MiB, tokens: 16}\n"),
        InputError);
    EngineQuestion question = of(Engine::kVllm);
    question.share = 1.5;
    CHECK_THROWS_AS(plan_of(question), InputError);
    CHECK_THROWS_AS(plan::engine_of("vlm"), InputError);
    CHECK(plan::engine_of("tensorrt-llm") == Engine::kTensorrtLlm);
}

TEST_CASE("where nothing fits no advice is given", "[engines]") {
    const EnginePlan plan = plan_of(of(Engine::kVllm), R"(
  - load_weights
  - alloc: {all: 980 MiB}
  - kv_cache: {bytes_per_token: 256 KiB, block: 16, tokens: 16}
  - capture: {buckets: decode, stream: capture}
)");
    CHECK(plan.start_up.failure);
    CHECK_FALSE(plan.fits());
    CHECK_FALSE(plan.advice);
}

TEST_CASE("a cache that a try cannot have is no start-up that serves", "[engines]") {
    EngineQuestion question = of(Engine::kTensorrtLlm);
    question.share = 1.0;
    const EnginePlan plan = plan_of(question, R"(
  - load_weights
  - kv_cache: {bytes_per_token: 256 KiB, block: 16, tokens: 16}
  - try: serving
    do: [{alloc: {x: 900 MiB}}]
)");
    REQUIRE(plan.run);
    REQUIRE(plan.run->failure);
    CHECK(plan.run->failure->tried == "serving");
    CHECK_FALSE(plan.fits());
}
