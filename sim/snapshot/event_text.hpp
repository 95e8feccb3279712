#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/snapshot/history_streams.hpp"
#include "sim/snapshot/snapshot.hpp"

/// A file's events and segments beside those of the allocator.
namespace highwater {

std::string describe(const SnapshotEvent& event);
std::string describe(const TraceEvent& event, const HistoryStreams& streams);

/// Equal but for the pool, which most files do not tell.
bool is_same(const SnapshotEvent& recorded,
             const TraceEvent& simulated,
             const HistoryStreams& streams);

/// The first segment that differs, as recorded and as simulated; none if all are equal but for what
/// cannot be known: requests that free memory served before the history (`kUnknownRequest`).
std::optional<std::pair<std::string, std::string>> segment_difference(
    const Snapshot& snapshot,
    const std::vector<SegmentInfo>& simulated,
    const HistoryStreams& streams);

}  // namespace highwater
