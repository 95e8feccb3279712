#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/capture/capture_graph.hpp"
#include "sim/core/bytes.hpp"

namespace highwater {

/// A cudaMallocAsync in a capture, and the cudaFreeAsync that gives it back in the same capture.
struct GraphAllocation {
    GraphVertex alloc = 0;
    std::optional<GraphVertex> free;
    /// As the driver serves it: rounding is the caller's.
    Bytes size;
};

/// Where a graph's allocations lie in its own memory.
struct GraphMemoryLayout {
    /// In the order of the allocations.
    std::vector<Bytes> offsets;
    /// The end of the highest allocation.
    Bytes needed;

    std::size_t distinct_addresses() const;
};

/// Places each allocation, in the order of capture, at the lowest offset that no other may hold
/// while it does: an earlier one makes room only if its free precedes this allocation in the graph,
/// whatever the schedule. The allocations are in the order of their nodes.
GraphMemoryLayout lay_out_memory_nodes(const CaptureGraph& graph,
                                       const std::vector<GraphAllocation>& allocations);

}  // namespace highwater
