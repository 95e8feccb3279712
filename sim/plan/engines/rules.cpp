#include "sim/plan/engines/rules.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater::plan {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr Bytes kGiB{1ULL << 30U};

std::int64_t signed_bytes(Bytes bytes) {
    return static_cast<std::int64_t>(bytes.count);
}

double share_of_card(Bytes part, Bytes total) {
    return static_cast<double>(part.count) / static_cast<double>(total.count);
}

}  // namespace

void EngineSum::add(EngineTerm term) {
    const auto there = std::ranges::find(terms_, term.name, &EngineTerm::name);
    if (there != terms_.end()) {
        throw InputError({"--engine"},
                         fmt::format("`{}` is subtracted twice", term.name),
                         "count each term once");
    }
    terms_.push_back(std::move(term));
}

std::int64_t EngineSum::total() const {
    std::int64_t sum = 0;
    for (const EngineTerm& term : terms_) {
        sum += term.bytes;
    }
    return sum;
}

Bytes share_of(Bytes total, double share) {
    return Bytes{static_cast<std::uint64_t>(std::floor(static_cast<double>(total.count) * share))};
}

EngineSum vllm_sum(const VllmTerms& terms) {
    EngineSum sum;
    sum.add({fmt::format("{:.4g} of the card", terms.utilization),
             signed_bytes(share_of(terms.total, terms.utilization)),
             "gpu_memory_utilization"});
    sum.add({"weights", -signed_bytes(terms.weights), "what loading them reserved"});
    sum.add({"activation peak",
             -signed_bytes(terms.activations),
             "most allocated in passes before the captures"});
    sum.add({"beside PyTorch",
             -signed_bytes(terms.outside),
             "what the driver's memory grew by, loading and profiling"});
    sum.add({"graphs, estimated",
             -signed_bytes(terms.estimate),
             terms.estimate == Bytes{} ? "no estimate" : "two captures of each mode"});
    return sum;
}

std::int64_t vllm_suggestion(const VllmTerms& terms) {
    constexpr std::int64_t kHeldBack = 150 * kMiB;
    VllmTerms measured = terms;
    measured.estimate = terms.graphs;
    return vllm_sum(measured).total() - kHeldBack;
}

std::int64_t vllm_suggestion_counted_twice(const VllmTerms& terms) {
    return vllm_suggestion(terms) - signed_bytes(terms.estimate);
}

double vllm_worth(const VllmTerms& terms) {
    return terms.utilization - share_of_card(terms.estimate, terms.total);
}

double vllm_to_keep(const VllmTerms& terms) {
    return terms.utilization + share_of_card(terms.estimate, terms.total);
}

// The sizes are the engine's own; one line a tier.
SglangTier sglang_tier(Bytes total, std::int64_t tensor_parallel) {
    const bool is_wide = tensor_parallel >= 4;
    struct Tier {
        Bytes below;
        std::int64_t narrow;
        std::int64_t wide;
        std::int64_t chunk;
    };
    constexpr Tier kTiers[] = {{kGiB * 20, 8, 8, 2048},       // NOLINT(*-magic-numbers)
                               {kGiB * 35, 24, 80, 2048},     // NOLINT(*-magic-numbers)
                               {kGiB * 60, 32, 160, 4096},    // NOLINT(*-magic-numbers)
                               {kGiB * 160, 256, 512, 8192},  // NOLINT(*-magic-numbers)
                               {kGiB * 0, 512, 512, 16384}};  // NOLINT(*-magic-numbers)
    for (const Tier& tier : kTiers) {
        if (total < tier.below || tier.below == Bytes{}) {
            return {is_wide ? tier.wide : tier.narrow, tier.chunk};
        }
    }
    return {};
}

Bytes sglang_reserve(const SglangSizes& sizes) {
    constexpr std::int64_t kMeta = 512;
    constexpr std::int64_t kLeastChunk = 2048;
    constexpr std::int64_t kPerRank = 128;
    constexpr std::int64_t kPerPrefillBucket = 8;
    constexpr std::int64_t kFloor = 10240;
    constexpr Bytes kFloorAbove = kGiB * 60;
    std::int64_t mib = kMeta + std::max(sizes.chunk, kLeastChunk) * 3 / 2 + 2 * sizes.max_bucket +
                       kPerRank * sizes.tensor_parallel * sizes.pipeline_parallel +
                       kPerPrefillBucket * sizes.prefill_buckets;
    if (sizes.total > kFloorAbove) {
        mib = std::max(mib, kFloor);
    }
    return Bytes{static_cast<std::uint64_t>(mib * kMiB)};
}

double sglang_fraction(const SglangSizes& sizes) {
    return 1 - share_of_card(sglang_reserve(sizes), sizes.total);
}

EngineSum sglang_sum(Bytes free_before, Bytes free_after, double mem_fraction_static) {
    EngineSum sum;
    sum.add({"free behind the weights", signed_bytes(free_after), "cudaMemGetInfo"});
    sum.add({fmt::format("{:.4g} of what was free before them", 1 - mem_fraction_static),
             -signed_bytes(share_of(free_before, 1 - mem_fraction_static)),
             fmt::format("1 - mem_fraction_static of {:.4g}", mem_fraction_static)});
    return sum;
}

EngineSum tensorrt_sum(Bytes left, double fraction) {
    EngineSum sum;
    sum.add({"left at the dry run's peak", signed_bytes(left), "cudaMemGetInfo"});
    sum.add({fmt::format("all but {:.4g} of it", fraction),
             -signed_bytes(left - share_of(left, fraction)),
             "free_gpu_memory_fraction"});
    return sum;
}

std::int64_t tokens_in(std::int64_t bytes, Bytes per_token, std::int64_t block) {
    const std::int64_t of_block = signed_bytes(per_token) * block;
    return bytes > 0 ? bytes / of_block * block : 0;
}

}  // namespace highwater::plan
