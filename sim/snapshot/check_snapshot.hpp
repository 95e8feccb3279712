#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// No size or address of a file is larger: sums of a few of them stay below 2^64.
inline constexpr Bytes kMostBytes{1ULL << 62U};

/// What a file says that a segment's blocks come to, where it says so.
struct SegmentTotals {
    std::optional<Bytes> allocated;
    std::optional<Bytes> active;
    std::optional<Bytes> requested;
};

/// Holds a segment's sizes to its blocks (around-allocator specification 7.2): they tile it, and
/// come to what the file says. `place` names the segment in messages, and `file` the file. Throws
/// `InputError`.
void check_segment(const std::string& file,
                   const std::string& place,
                   const SnapshotSegment& segment,
                   const SegmentTotals& totals = {});

/// What must hold in any file, whatever wrote it: segments are tiled by their blocks and do not
/// overlap, sizes and addresses are in bounds, stacks are there. Segments and events are counted
/// from 0 in messages. Throws `InputError`; gives back what is odd but may be so, a sentence each.
std::vector<std::string> check_snapshot(const Snapshot& snapshot);

}  // namespace highwater
