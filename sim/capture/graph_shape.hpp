#pragma once

#include <cstddef>
#include <map>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// What a graph looks like in figures, counted on the edges as the capture made them (those that
/// cudaGraphGetEdges lists), implied ones included: a side stream that is forked again, after it
/// was joined, goes on from its own last node as well as from the node it waits for. Real captures
/// have these edges. Two edges between the same nodes count once.
struct GraphShape {
    /// Only kinds that occur.
    std::map<NodeKind, std::size_t> kinds;
    std::size_t nodes = 0;
    std::size_t edges = 0;
    /// Nodes with more than one successor.
    std::size_t forks = 0;
    /// Nodes with more than one predecessor.
    std::size_t joins = 0;
    /// Nodes without predecessors.
    std::size_t roots = 0;
    /// Nodes without successors.
    std::size_t leaves = 0;
    friend bool operator==(const GraphShape&, const GraphShape&) = default;
};

GraphShape shape_of(const CaptureGraph& graph);

}  // namespace highwater
