#pragma once

#include <vector>

#include "sim/allocator/snapshot.hpp"
#include "sim/snapshot/history.hpp"
#include "sim/snapshot/history_streams.hpp"

namespace highwater {

/// The start of a history as the allocator takes it over.
struct StartSegments {
    /// Pending blocks are active in them.
    std::vector<SegmentInfo> segments;
    /// Where expandable segments' address space begins.
    std::vector<Address> reservations;
};

/// `pools` by region. What free blocks served last is `kUnknownRequest` unless the file's base
/// tells.
StartSegments start_segments(const Snapshot& snapshot,
                             const History& history,
                             const HistoryStreams& streams,
                             const std::vector<PoolId>& pools);

}  // namespace highwater
