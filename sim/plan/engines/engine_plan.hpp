#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/plan/engines/rules.hpp"
#include "sim/plan/engines/start_up.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"

namespace highwater::plan {

enum class Engine : std::uint8_t { kVllm, kSglang, kTensorrtLlm };

/// As on the command line: "tensorrt-llm".
std::string_view name_of(Engine engine);
/// Its setting for the KV cache, as its own documentation calls it: "gpu_memory_utilization".
std::string_view setting_of(Engine engine);
/// Throws `InputError` for a name that is none.
Engine engine_of(const std::string& name);

struct EngineQuestion {
    Engine engine{};
    /// The share of memory that the engine's own setting names, above 0 and at most 1. None: its
    /// default.
    std::optional<double> share;
    /// vLLM: whether it estimates what graphs take, as newer releases do.
    bool estimates_graphs = true;
    /// TensorRT-LLM: no more tokens than these.
    std::optional<std::int64_t> max_tokens;
};

/// The scenario with a KV cache of so many tokens.
struct EngineRun {
    std::int64_t tokens = 0;
    std::optional<Failure> failure;
    /// Where it fails, or has the most in use.
    std::string phase;
    SourcePlace place;
    /// The most in use on the card.
    Bytes worst;
    /// In use once the captures are done and the cache is there.
    Bytes ready;
    friend bool operator==(const EngineRun&, const EngineRun&) = default;
};

EngineRun run_with_tokens(const Lowered& lowered, const CostProfile* costs, std::int64_t tokens);

/// What is in use beyond vLLM's budget once it is ready, by owner. The lines add up to `total`.
struct Overrun {
    Bytes budget;
    std::vector<EngineTerm> lines;
    std::int64_t total = 0;
};

/// A setting with which what the engine computes runs to the scenario's end.
struct EngineAdvice {
    /// None where the setting cannot say it: vLLM takes the cache's bytes then.
    std::optional<double> share;
    EngineRun run;
    /// To paste behind the engine's command.
    std::string flags;
};

/// What an engine's start-up would compute for a scenario, beside what runs of it say.
struct EnginePlan {
    Engine engine{};
    double share = 0;
    bool share_is_default = true;
    StartUp start_up;
    EngineSum sum;
    /// What is left for the KV cache by the sum.
    std::int64_t tokens = 0;
    std::int64_t block_tokens = 1;
    Bytes per_token;
    /// With those tokens; none if there are none.
    std::optional<EngineRun> run;
    /// The most that fits. None if not even one block does.
    std::optional<KvFit> most;
    /// vLLM: its terms, and what is beyond its budget.
    std::optional<VllmTerms> vllm;
    std::optional<Overrun> overrun;
    /// SGLang: what its default follows from.
    std::optional<SglangSizes> sglang;
    std::optional<EngineAdvice> advice;
    std::vector<std::string> warnings;

    /// Whether the engine's own start-up serves to the scenario's end.
    bool fits() const { return run && !run->failure; }
};

/// Throws `InputError` for a scenario without weights or a KV cache, and a share that is none.
EnginePlan plan_engine(const Scenario& scenario,
                       std::span<const Override> overrides,
                       const EngineQuestion& question);

}  // namespace highwater::plan
