#include "sim/plan/engines/flags.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::plan {
namespace {

Bytes left_of(Bytes total, Bytes used) {
    return total > used ? total - used : Bytes{};
}

// Digits of a setting: 0.001 is 80 MiB of 80 GiB.
double digits_of(Engine engine) {
    constexpr double kTenThousandths = 10'000;
    constexpr double kThousandths = 1'000;
    return engine == Engine::kVllm ? kTenThousandths : kThousandths;
}

// The share at which the sum comes to so many bytes, were it not rounded.
double share_for(const EnginePlan& plan, Bytes kv) {
    const StartUp& start = plan.start_up;
    const auto real = [](Bytes bytes) { return static_cast<double>(bytes.count); };
    if (plan.engine == Engine::kVllm) {
        const Bytes rest = start.weights() + start.activations() + start.outside() +
                           plan.vllm.value_or(VllmTerms{}).estimate;
        return real(kv + rest) / real(start.total);
    }
    if (plan.engine == Engine::kSglang) {
        const double before = real(left_of(start.total, start.before_load.in_use()));
        const double after = real(left_of(start.total, start.loaded.in_use()));
        return 1 - (after - real(kv)) / before;
    }
    return real(kv) / real(left_of(start.total, start.peak_in_use));
}

std::string bucket_words(const EnginePlan& plan, std::string_view flag) {
    std::set<std::int64_t> buckets;
    for (const CaptureCost& capture : plan.start_up.captures) {
        if (capture.bucket) {
            buckets.insert(*capture.bucket);
        }
    }
    return buckets.empty() ? "" : fmt::format(" {} {}", flag, fmt::join(buckets, " "));
}

std::string flags_of(const EnginePlan& plan, const EngineAdvice& advice) {
    if (plan.engine == Engine::kSglang) {
        return fmt::format("--mem-fraction-static {:.3f}", *advice.share) +
               bucket_words(plan, "--cuda-graph-bs");
    }
    if (plan.engine == Engine::kTensorrtLlm) {
        return fmt::format("--free_gpu_memory_fraction {:.3f}", *advice.share);
    }
    const std::string share =
        advice.share ? fmt::format("--gpu-memory-utilization {:.4f} ", *advice.share) : "";
    return fmt::format("{}--kv-cache-memory-bytes {}",
                       share,
                       static_cast<std::uint64_t>(advice.run.tokens) * plan.per_token.count) +
           bucket_words(plan, "--cuda-graph-sizes");
}

// vLLM refuses to start where less than its share is free.
double most_of(const EnginePlan& plan) {
    if (plan.engine != Engine::kVllm) {
        return 1;
    }
    const Bytes free = left_of(plan.start_up.total, plan.start_up.before_load.in_use());
    return static_cast<double>(free.count) / static_cast<double>(plan.start_up.total.count);
}

}  // namespace

EngineSum sum_with(const EnginePlan& plan, double share) {
    const StartUp& start = plan.start_up;
    if (plan.engine == Engine::kSglang) {
        return sglang_sum(left_of(start.total, start.before_load.in_use()),
                          left_of(start.total, start.loaded.in_use()),
                          share);
    }
    if (plan.engine == Engine::kTensorrtLlm) {
        return tensorrt_sum(left_of(start.total, start.peak_in_use), share);
    }
    VllmTerms terms = plan.vllm.value_or(VllmTerms{});
    terms.utilization = share;
    return vllm_sum(terms);
}

std::optional<EngineAdvice> advice_for(const EnginePlan& plan,
                                       const Lowered& lowered,
                                       const CostProfile* costs) {
    if (!plan.most || plan.most->safe_tokens == 0) {
        return std::nullopt;
    }
    const double digits = digits_of(plan.engine);
    const double wanted = share_for(
        plan, Bytes{static_cast<std::uint64_t>(plan.most->safe_tokens) * plan.per_token.count});
    EngineAdvice advice;
    // One more, for what rounding took away.
    for (double step = std::floor(std::min(wanted, most_of(plan)) * digits) + 1; step > 0; --step) {
        const double share = step / digits;
        const std::int64_t tokens =
            tokens_in(sum_with(plan, share).total(), plan.per_token, plan.block_tokens);
        if (share <= most_of(plan) && tokens <= plan.most->safe_tokens) {
            advice.share = share;
            advice.run = run_with_tokens(lowered, costs, tokens);
            break;
        }
    }
    if (plan.engine == Engine::kVllm) {
        // The flag with the bytes has the last word.
        advice.share = wanted <= most_of(plan) ? advice.share : std::nullopt;
        advice.run = run_with_tokens(lowered, costs, plan.most->safe_tokens);
    }
    if (advice.run.tokens == 0 || advice.run.failure) {
        return std::nullopt;
    }
    advice.flags = flags_of(plan, advice);
    return advice;
}

}  // namespace highwater::plan
