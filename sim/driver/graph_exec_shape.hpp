#pragma once

#include <cstdint>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// What of a graph's shape its instantiation pays for in memory.
struct GraphExecShape {
    /// Kernels and copies, which cost the same; all other nodes cost nothing.
    std::uint64_t kernels = 0;
    /// Nodes at which branches meet: two or more dependencies of which none implies another. A side
    /// stream that is forked again goes on from its own last node as well; that is no such node.
    std::uint64_t joins = 0;
    friend bool operator==(const GraphExecShape&, const GraphExecShape&) = default;
};

GraphExecShape exec_shape_of(const CaptureGraph& graph);

}  // namespace highwater
