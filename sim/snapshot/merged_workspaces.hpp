#pragma once

#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// A workspace that PyTorch keeps for cuBLAS.
struct CublasWorkspace {
    AllocationId id{};
    /// As recorded.
    StreamId stream{};
    Bytes size;
    /// If it was there at the start.
    RegionId start_region = kNoRegion;
};

/// Taken for workspaces: allocations that are never freed, of the sizes that PyTorch gives cuBLAS
/// (8,519,680 and 33,554,432 B), and on their streams those for cuBLASLt (1 MiB), if there are no
/// more of these than of the others. As they came.
std::vector<CublasWorkspace> workspaces_found(const RecordedHistory& recorded);

/// The workspaces of cuBLAS that a history's program would not have made with fewer streams:
/// PyTorch keeps one for each thread and stream (around-allocator specification 6), so streams that
/// become one share theirs.
struct MergedWorkspaces {
    /// By allocation: it is not made.
    std::vector<bool> left_out;
    std::size_t count = 0;
    Bytes bytes;

    bool has(AllocationId id) const {
        return index_of(id) < left_out.size() && left_out[index_of(id)];
    }
};

/// `streams` says which stream each becomes.
MergedWorkspaces merged_workspaces(const RecordedHistory& recorded,
                                   const std::vector<StreamId>& streams);

}  // namespace highwater
