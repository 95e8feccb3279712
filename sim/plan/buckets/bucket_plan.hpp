#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/plan/buckets/batch_work.hpp"
#include "sim/plan/buckets/histogram.hpp"
#include "sim/plan/buckets/list_choice.hpp"
#include "sim/plan/buckets/list_runs.hpp"

namespace highwater::plan {

struct BucketQuestion {
    /// What batches come, of those up to a largest.
    std::function<BatchHistogram(std::int64_t largest)> histogram;
    /// May be left out if the scenario captures one list only.
    std::optional<std::string> set;
    /// Ascending. None: all sizes up to the largest of the scenario's own list.
    std::optional<BucketList> candidates;
    /// Of the captures, pools and driver together. None: what the scenario's own list takes.
    std::optional<Bytes> budget;
    std::optional<std::size_t> max_buckets;
    BucketCost cost = BucketCost::kRows;

    static constexpr std::size_t kMostCandidates = 512;
};

/// A list of buckets, and what a run says of it.
struct BucketListFigures {
    /// Of an engine's, or "the scenario's own"; empty for one that was searched for.
    std::string name{};
    BucketList list;
    /// In rows, or nanoseconds of replays, beyond what the batches need.
    std::int64_t padding = 0;
    /// Batches beyond the largest bucket: they run without a graph, and are not in `padding`.
    std::int64_t eager_batches = 0;
    /// By the model, before the run.
    std::optional<Bytes> expected{};
    ListRun run;

    Bytes memory() const { return run.growth.total(); }
    bool is_confirmed() const { return run.failure.empty(); }
    friend bool operator==(const BucketListFigures&, const BucketListFigures&) = default;
};

/// The list that wastes least within a budget, among others. All were run.
struct BucketPlan {
    std::string set;
    BucketCost cost{};
    std::int64_t batches = 0;
    std::int64_t largest_batch = 0;
    /// What the batches need: their rows, or with all candidates captured the time of their
    /// replays.
    std::int64_t needed = 0;
    Bytes budget;
    bool is_budget_given = false;
    std::optional<std::size_t> max_buckets;
    /// Memory ascends, padding descends.
    std::vector<BucketListFigures> curve;
    /// Of the curve. None if not even the first fits.
    std::optional<std::size_t> chosen;
    /// The scenario's own list, then the engines' up to the largest batch.
    std::vector<BucketListFigures> others;
    ModelError error;
    /// Whether there is a cost profile: else only what the scenario names is the driver's.
    bool knows_driver = false;
    /// Whether one batch costs the same in all buckets.
    bool is_work_flat = false;
    std::size_t candidates = 0;
    std::size_t runs = 0;
    std::uint64_t search_steps = 0;
    /// How finely the search counted memory, and whether that was exact.
    Bytes unit;
    bool is_unit_exact = true;
};

/// Throws `InputError` for questions that cannot be answered.
BucketPlan plan_buckets(const Scenario& scenario,
                        std::span<const Override> overrides,
                        const BucketQuestion& question);

}  // namespace highwater::plan
