#pragma once

#include <vector>

#include "sim/snapshot/merged_workspaces.hpp"
#include "sim/snapshot/predicted_memory.hpp"
#include "sim/snapshot/replay.hpp"
#include "sim/snapshot/simulated_history.hpp"

namespace highwater {

/// The start of a history under changed settings. What one stream holds of one pool is kept as it
/// was if the settings make no difference to it: if its blocks, allocated in the order in which
/// they came, end up in the same segments under both settings. Else they are allocated anew under
/// the new ones, nearly in that order, and what was free between them is not there. So is what held
/// workspaces that are left out.
class PlannedStart {
  public:
    /// What is given outlives it.
    PlannedStart(const Snapshot& snapshot,
                 const RecordedHistory& recorded,
                 const AllocatorSettings& settings,
                 const MergedWorkspaces& workspaces);

    /// Lays the start out. `streams` and `pools` are those that hold each region from now on, by
    /// recorded stream and by region. Gives the failure, if it does not fit.
    std::optional<OutOfMemory> lay_out(SimulatedHistory& simulated,
                                       PredictedMemory& memory,
                                       const std::vector<StreamId>& streams,
                                       const std::vector<PoolId>& pools) const;

    /// Bytes that were free in what is not kept.
    Bytes dropped() const;

  private:
    struct Range {
        const StartRange* range = nullptr;
        /// The first of its blocks.
        AllocationId first{};
        bool is_kept = true;
    };

    const Region& region_of(const Range& range) const;
    void sort_as_they_came();
    void compare();
    bool holds_left_out(const Range& range) const;

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    const AllocatorSettings& settings_;
    const MergedWorkspaces& workspaces_;
    /// Nearly in the order in which their blocks came.
    std::vector<Range> ranges_;
};

}  // namespace highwater
