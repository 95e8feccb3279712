#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/core/time.hpp"
#include "sim/plan/peaks.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/facts/bucket_list.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::plan {

/// What a list of buckets took, by a run of the scenario with it.
struct ListRun {
    /// What the captures added: PyTorch's pools, and the driver's graphs.
    InUse growth;
    /// Why the captures did not all end; empty if they did.
    std::string failure{};
    friend bool operator==(const ListRun&, const ListRun&) = default;
};

/// What one bucket's graphs took among those of many others.
struct BucketFigures {
    /// Of the pools: what stays allocated; what was reserved, where no other bucket shares its
    /// pool.
    Bytes pool;
    /// Its share of what the driver took for all, by nodes: the driver grows by pages.
    Bytes driver;
    /// Of one replay of its graphs; 0 without a cost profile.
    Duration replay{};
    friend bool operator==(const BucketFigures&, const BucketFigures&) = default;
};

/// Runs a scenario up to its captures, with one list of buckets after the other in place of its
/// own.
class ListRuns {
  public:
    /// `set` names the list; it may be left out if the scenario captures one only. The scenario
    /// outlives this. Throws `InputError`.
    ListRuns(const Scenario& scenario,
             std::span<const Override> overrides,
             const std::optional<std::string>& set);

    const std::string& set() const { return set_; }
    /// The scenario's own.
    const BucketList& own() const { return own_; }
    bool has_times() const { return scenario_.machine.costs.has_value(); }

    /// Each list is run once. The buckets may come in any order.
    const ListRun& run(BucketList list);
    std::size_t runs() const { return runs_; }

    /// All in one run, on a card that has room for them, and a replay each. In their order.
    std::vector<BucketFigures> measure(const BucketList& list);

  private:
    const CostProfile* costs() const;
    Lowered lowered_with(const BucketList& list);
    void find_set(const std::optional<std::string>& set);
    void leave_out_what_follows();

    Scenario scenario_;
    ParameterValues values_;
    std::string set_;
    BucketList own_;
    bool is_ascending_ = false;
    std::size_t runs_ = 0;
    std::map<BucketList, ListRun> done_;
};

}  // namespace highwater::plan
