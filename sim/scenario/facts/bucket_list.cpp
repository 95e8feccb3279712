#include "sim/scenario/facts/bucket_list.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace highwater {
namespace {

// From the end of the stretch before (or `first`) in steps, up to `last`.
struct Stretch {
    std::int64_t first;
    std::int64_t last;
    std::int64_t step;
};

enum class Growth { kSteps, kDoubling };

// What an engine does with a maximum that is not in its list.
enum class Maximum {
    // The list ends at the last bucket below it; larger batches run without a graph.
    kCuts,
    // It is one more bucket.
    kIsAppended,
};

struct Rule {
    std::string_view name;
    std::vector<Stretch> stretches;
    // Beyond the last stretch.
    Growth growth;
    std::int64_t growth_step;
    Maximum maximum;
};

// The lists are those of the engines' sources in 2026, their counts published with them; the newer
// of TensorRT-LLM's two rules above 128. Assumed, not verified: which engines append a maximum that
// is not in the list, and that TensorRT-LLM's lists go on as they do above 128.
const std::vector<Rule>& rules() {
    static const std::vector<Rule> kRules{
        {"sglang-decode",
         {{1, 1, 1}, {2, 2, 1}, {4, 12, 4}, {16, 256, 8}, {272, 496, 16}, {512, 512, 1}},
         Growth::kSteps,
         32,
         Maximum::kIsAppended},
        {"sglang-speculative-decode",
         {{1, 8, 1}, {10, 32, 2}, {40, 64, 4}, {72, 256, 8}},
         Growth::kSteps,
         16,
         Maximum::kIsAppended},
        {"sglang-prefill",
         {{4, 32, 4}, {48, 256, 16}, {288, 512, 32}, {576, 1024, 64}, {1280, 4096, 256}},
         Growth::kSteps,
         512,
         Maximum::kCuts},
        {"vllm", {{1, 2, 1}, {4, 4, 1}, {8, 256, 8}}, Growth::kSteps, 16, Maximum::kCuts},
        {"tensorrt-llm",
         {{1, 2, 1}, {4, 4, 1}, {8, 128, 8}},
         Growth::kSteps,
         64,
         Maximum::kIsAppended},
        {"tensorrt-llm-unpadded",
         {{1, 32, 1}, {64, 64, 1}, {128, 128, 1}},
         Growth::kDoubling,
         0,
         Maximum::kIsAppended},
        {"fastdeploy", {{1, 2, 1}, {4, 4, 1}, {8, 128, 8}}, Growth::kSteps, 16, Maximum::kCuts},
    };
    return kRules;
}

void append_until(std::int64_t max, const Stretch& stretch, BucketList& buckets) {
    for (std::int64_t next = stretch.first; next <= std::min(stretch.last, max);
         next += stretch.step) {
        buckets.push_back(next);
    }
}

BucketList grown_until(std::int64_t max, const Rule& rule) {
    BucketList buckets;
    for (const Stretch& stretch : rule.stretches) {
        append_until(max, stretch, buckets);
    }
    const std::int64_t last = rule.stretches.back().last;
    const auto after = [&](std::int64_t bucket) {
        return rule.growth == Growth::kDoubling ? 2 * bucket : bucket + rule.growth_step;
    };
    for (std::int64_t next = after(last); next <= max; next = after(next)) {
        buckets.push_back(next);
    }
    return buckets;
}

void require_bucket(std::int64_t bucket) {
    check(bucket >= 1 && bucket <= kMaxBucket, "a bucket is between 1 and kMaxBucket");
}

}  // namespace

const std::vector<std::string>& bucket_list_names() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const Rule& rule : rules()) {
            names.emplace_back(rule.name);
        }
        return names;
    }();
    return kNames;
}

std::optional<BucketList> named_bucket_list(std::string_view name, std::int64_t max) {
    require_bucket(max);
    for (const Rule& rule : rules()) {
        if (rule.name != name) {
            continue;
        }
        BucketList buckets = grown_until(max, rule);
        const bool lacks_max = buckets.empty() || buckets.back() != max;
        if (lacks_max && rule.maximum == Maximum::kIsAppended) {
            buckets.push_back(max);
        }
        return buckets;
    }
    return std::nullopt;
}

BucketList range_buckets(std::int64_t first, std::int64_t last, std::int64_t step) {
    require_bucket(first);
    require_bucket(last);
    require_bucket(step);
    BucketList buckets;
    append_until(last, {first, last, step}, buckets);
    return buckets;
}

BucketList powers_of_two(std::int64_t first, std::int64_t last) {
    require_bucket(first);
    require_bucket(last);
    BucketList buckets;
    for (std::int64_t power = 1; power <= last; power *= 2) {
        if (power >= first) {
            buckets.push_back(power);
        }
    }
    return buckets;
}

std::optional<std::int64_t> smallest_bucket_for(std::int64_t batch,
                                                std::span<const std::int64_t> buckets) {
    const auto found = std::lower_bound(buckets.begin(), buckets.end(), batch);
    return found == buckets.end() ? std::nullopt : std::optional(*found);
}

std::int64_t padding_waste(std::span<const std::int64_t> batches,
                           std::span<const std::int64_t> buckets) {
    std::int64_t rows = 0;
    for (const std::int64_t batch : batches) {
        rows += smallest_bucket_for(batch, buckets).value_or(batch) - batch;
    }
    return rows;
}

}  // namespace highwater
