#pragma once

#include <vector>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// A way through a graph that takes longest: no replay is shorter than it.
struct CriticalPath {
    Duration length{};
    /// In the order they run; of paths of one length, the one whose nodes were captured first,
    /// compared from its end.
    std::vector<GraphVertex> nodes;
    friend bool operator==(const CriticalPath&, const CriticalPath&) = default;
};

/// The longest path by the nodes' durations, with `gap` between a node and the next on the path.
/// O(nodes + edges). An empty graph has an empty path.
CriticalPath critical_path(const CaptureGraph& graph, Duration gap = {});

}  // namespace highwater
