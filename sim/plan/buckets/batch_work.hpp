#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "sim/plan/buckets/histogram.hpp"
#include "sim/plan/buckets/list_runs.hpp"
#include "sim/scenario/facts/bucket_list.hpp"

namespace highwater::plan {

/// What a batch costs in a bucket.
enum class BucketCost : std::uint8_t {
    kRows,
    /// The simulated time of a replay.
    kTime,
};

/// What lists of buckets make of the batches that come.
class BatchWork {
  public:
    /// In rows, or nanoseconds of replays.
    struct Padding {
        /// Beyond what the batches need.
        std::int64_t padding = 0;
        /// Batches above all buckets: they run without a graph, and are not padded.
        std::int64_t eager_batches = 0;
    };

    /// `candidates` hold all batches; with time, `replays` has all buckets that are asked for.
    BatchWork(BatchHistogram histogram, BucketList candidates, BucketCost cost);
    void set_replays(std::map<std::int64_t, BucketFigures> figures);

    const BatchHistogram& histogram() const { return histogram_; }
    const BucketList& candidates() const { return candidates_; }
    /// Of one batch in the bucket.
    std::int64_t of(std::int64_t bucket) const;
    /// Of all batches: their rows, or the time that they take with all candidates captured.
    std::int64_t needed() const;
    Padding in(const BucketList& list) const;

  private:
    std::int64_t needed_by(std::int64_t batch) const;

    BatchHistogram histogram_;
    BucketList candidates_;
    BucketCost cost_;
    std::map<std::int64_t, BucketFigures> figures_;
};

}  // namespace highwater::plan
