#pragma once

#include <cstddef>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// The most nodes that could run at once, if the card had room for all of them.
struct GraphWidth {
    std::size_t nodes = 0;
    /// If not, it is an upper bound.
    bool is_exact = false;
    friend bool operator==(const GraphWidth&, const GraphWidth&) = default;
};

/// Beyond so many nodes the width may be an upper bound.
inline constexpr std::size_t kMostNodesForExactWidth = 10000;

/// The size of the largest set of nodes none of which depends on another. For captured shapes two
/// cheap bounds mostly meet: the most nodes at one depth, and the chains of `Reachability`. Where
/// they do not, a flow over the graph decides, unless the graph has more than `most_nodes`.
GraphWidth width_of(const CaptureGraph& graph, std::size_t most_nodes = kMostNodesForExactWidth);

/// The distinct streams that nodes were captured on: the branches as the program made them.
std::size_t captured_streams(const CaptureGraph& graph);

}  // namespace highwater
