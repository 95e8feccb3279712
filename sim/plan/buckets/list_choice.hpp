#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sim/plan/buckets/batch_work.hpp"
#include "sim/plan/buckets/list_runs.hpp"
#include "sim/plan/buckets/search.hpp"

namespace highwater::plan {

struct ChoiceLimits {
    /// Of a list's captures.
    Bytes budget;
    std::optional<std::size_t> max_buckets;
};

/// How far runs were from the model that the search goes by: each bucket a memory of its own.
struct ModelError {
    /// By how much a run took more, and less.
    Bytes most_above;
    Bytes most_below;
    /// Lists that the model would allow, and a run did not.
    std::size_t refused = 0;
    friend bool operator==(const ModelError&, const ModelError&) = default;
};

/// The lists of the search, held to runs.
class ListChoice {
  public:
    /// `figures` are of the work's candidates, in their order. The first two outlive it.
    ListChoice(ListRuns& runs,
               const BatchWork& work,
               const std::vector<BucketFigures>& figures,
               const ChoiceLimits& limits);

    /// Finds the list that fits and has a neighbour that does not, and others for a trade-off: from
    /// the largest bucket alone on, each wasting much less than the one before. All of them were
    /// run, whether they fit or not.
    std::vector<BucketList> choose();

    /// By the model.
    Bytes expected(const BucketList& list) const { return base_ + search_.memory_of(list); }
    const ModelError& error() const { return error_; }
    const BucketSearch& search() const { return search_; }

  private:
    Bytes beyond_base() const;
    BucketSearch make_search(const std::vector<BucketFigures>& figures) const;
    const BucketList& list_at(std::size_t point);
    bool fits(const BucketList& list);
    bool fits(std::size_t point) { return fits(list_at(point)); }
    std::size_t last_within(Bytes memory) const;
    std::size_t guessed_point();
    std::optional<std::size_t> largest_point();
    std::set<std::size_t> trade_off() const;
    std::optional<BucketList> refined(const BucketList& list);
    std::optional<BucketList> addition_to(const BucketList& list);

    ListRuns& runs_;
    const BatchWork& work_;
    ChoiceLimits limits_;
    /// The largest bucket alone.
    Bytes base_;
    BucketSearch search_;
    /// Of the front, those that were asked for.
    std::vector<BucketList> lists_;
    ModelError error_;
    std::set<BucketList> refused_;
};

}  // namespace highwater::plan
