#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/plan/buckets/histogram.hpp"
#include "sim/scenario/facts/bucket_list.hpp"

namespace highwater::plan {

struct BucketCandidate {
    std::int64_t bucket = 0;
    /// Of one batch that is padded to it: rows, or nanoseconds.
    std::int64_t work = 0;
    /// What a list takes more with it than without it.
    Bytes memory{};
};

struct SearchLimits {
    std::optional<std::size_t> max_buckets;
    /// Lists that take more, beyond the largest bucket, are not asked for.
    Bytes most_memory{kNoLimit};
    /// If the search took more steps, memory is counted in coarser units.
    std::uint64_t most_steps = kMostSteps;

    static constexpr std::uint64_t kNoLimit = UINT64_MAX;
    static constexpr std::uint64_t kMostSteps = 500'000'000;
};

/// A list that no other beats both in memory and in work.
struct FrontPoint {
    /// In units; without the largest bucket, which all lists have.
    std::size_t memory = 0;
    /// Of all batches, in their buckets.
    std::int64_t work = 0;
    std::size_t layer = 0;
};

/// The lists of buckets that hold all batches, by what they take and what they waste: dynamic
/// programming over (last bucket, memory). Exact if each bucket takes a memory of its own whatever
/// the others are, and that is counted in units that divide it.
class BucketSearch {
  public:
    /// Candidates ascend, none twice; the last alone holds the largest batch. Memory that is 0 for
    /// all of them is counted as 1 each, so that the number of buckets is what a list takes.
    BucketSearch(std::vector<BucketCandidate> candidates,
                 const BatchHistogram& histogram,
                 const SearchLimits& limits = {});

    /// Memory ascends, work descends. Never empty: the last candidate alone is first.
    const std::vector<FrontPoint>& front() const { return front_; }
    /// Ascending.
    BucketList list_of(const FrontPoint& point) const;

    /// To the byte, beyond the largest bucket alone.
    Bytes memory_of(const BucketList& list) const;
    /// How finely memory was counted.
    Bytes unit() const { return Bytes{unit_}; }
    bool is_exact() const { return is_exact_; }
    /// Additions and comparisons of the inner loop.
    std::uint64_t steps() const { return steps_; }

  private:
    using Row = std::vector<std::int64_t>;

    void count_batches(const BatchHistogram& histogram);
    void choose_unit(const SearchLimits& limits);
    std::vector<std::uint64_t> counted_memory() const;
    void fill_layers();
    void fill(std::size_t layer, std::size_t last);
    void extend(const Row& from, std::int64_t work, std::size_t units, Row& into);
    void find_front();
    /// Of the batches behind candidate `before`, up to candidate `last`; none before: of all.
    std::int64_t work(std::optional<std::size_t> before, std::size_t last) const;

    std::vector<BucketCandidate> candidates_;
    /// Batches that are no larger than each candidate.
    std::vector<std::int64_t> held_;
    /// Memory of each candidate.
    std::vector<std::size_t> units_;
    std::uint64_t unit_ = 1;
    bool is_exact_ = true;
    std::size_t cells_ = 1;
    std::uint64_t steps_ = 0;
    /// [buckets beyond the first][last bucket][memory]: the least work. One layer for any number
    /// of buckets, unless they are limited and memory does not count them.
    std::vector<std::vector<Row>> layers_;
    bool counts_layers_ = false;
    std::vector<FrontPoint> front_;
};

}  // namespace highwater::plan
