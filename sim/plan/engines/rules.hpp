#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/bytes.hpp"

namespace highwater::plan {

/// One term of an engine's sum: what is there, positive, or is set aside, negative.
struct EngineTerm {
    std::string name;
    std::int64_t bytes = 0;
    /// Where the figure comes from.
    std::string source{};
    friend bool operator==(const EngineTerm&, const EngineTerm&) = default;
};

/// Terms that are each counted once.
class EngineSum {
  public:
    /// Throws `InputError` for a term that is there already.
    void add(EngineTerm term);
    const std::vector<EngineTerm>& terms() const { return terms_; }
    std::int64_t total() const;

  private:
    std::vector<EngineTerm> terms_;
};

/// A share of the card, rounded down to whole bytes.
Bytes share_of(Bytes total, double share);

/// What vLLM's budget is made of. Source: vLLM's log lines in pull request 21489, issue 11251.
struct VllmTerms {
    Bytes total;
    double utilization = 0;
    Bytes weights;
    Bytes activations;
    /// Beside PyTorch, since before the weights.
    Bytes outside;
    /// 0 in releases that do not estimate, and where profiling of graphs is skipped.
    Bytes estimate;
    /// What the captures took in the end.
    Bytes graphs;
};

/// utilization x total - (weights + activations + outside) - estimate.
EngineSum vllm_sum(const VllmTerms& terms);
/// Which KV cache vLLM suggests once it has captured: with what graphs took in place of the
/// estimate, and 150 MiB held back. Of pull request 21489's log 0.16 GiB were held back, to the
/// rounding of its five parts.
std::int64_t vllm_suggestion(const VllmTerms& terms);
/// The same where both the estimate and the measured memory are subtracted, as releases did
/// (issues 37426, 57936).
std::int64_t vllm_suggestion_counted_twice(const VllmTerms& terms);
/// Which utilisation without an estimate gives the same KV cache as `utilization` with it.
double vllm_worth(const VllmTerms& terms);
/// Which utilisation with the estimate gives what `utilization` gave without.
double vllm_to_keep(const VllmTerms& terms);

/// SGLang's sizes by the card's memory. Source: its server arguments as stored in 2026; newer code
/// differs.
struct SglangTier {
    std::int64_t max_bucket = 0;
    std::int64_t chunk = 0;
    friend bool operator==(const SglangTier&, const SglangTier&) = default;
};
SglangTier sglang_tier(Bytes total, std::int64_t tensor_parallel);

/// What SGLang's reserve depends on.
struct SglangSizes {
    Bytes total;
    std::int64_t chunk = 0;
    std::int64_t max_bucket = 0;
    std::int64_t tensor_parallel = 1;
    std::int64_t pipeline_parallel = 1;
    /// Prefill graphs, 8 MiB each.
    std::int64_t prefill_buckets = 0;
};

/// 512 + 1.5 x max(chunk, 2048) + 2 x max bucket + 128 x TP x PP + 8 x prefill buckets MiB, and at
/// least 10,240 above 60 GiB.
Bytes sglang_reserve(const SglangSizes& sizes);
/// mem_fraction_static: 1 - reserve / total.
double sglang_fraction(const SglangSizes& sizes);
/// free after load - free before load x (1 - mem_fraction_static).
EngineSum sglang_sum(Bytes free_before, Bytes free_after, double mem_fraction_static);

/// free_gpu_memory_fraction of what the dry run leaves.
EngineSum tensorrt_sum(Bytes left, double fraction);

/// Whole blocks of `block` tokens that a sum has room for; 0 if it is negative.
std::int64_t tokens_in(std::int64_t bytes, Bytes per_token, std::int64_t block);

}  // namespace highwater::plan
