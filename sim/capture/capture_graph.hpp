#pragma once

#include <cstddef>
#include <cstdint>

#include <boost/graph/adjacency_list.hpp>

#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"

namespace highwater {

/// What a node of a CUDA graph does (cudaGraphNodeType).
enum class NodeKind : std::uint8_t {
    kKernel,
    kMemcpy,
    kMemset,
    kHost,
    /// Does nothing, but orders others.
    kEmpty,
    kMemAlloc,
    kMemFree,
};

/// What carries work out: the multiprocessors, a copy engine of either direction, or the host.
enum class WorkUnit : std::uint8_t { kCard, kCopyIn, kCopyOut, kHost };

/// One node of a captured graph.
struct GraphNode {
    NodeKind kind = NodeKind::kKernel;
    /// The stream it was captured on: how a program made the branch, not where it runs.
    StreamId stream{};
    /// The share of the card that it can use, above 0 and at most 1.
    float width = 1;
    /// How long it runs with that share to itself.
    Duration duration{};
    /// The operation it came from: an index into the Program's.
    std::size_t op = 0;
    /// Of a kernel, a memset or a copy.
    WorkUnit unit = WorkUnit::kCard;
    friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

/// A captured graph: an edge from each node to those that depend on it. Nodes are numbered in the
/// order of their capture, which is a topological one.
using CaptureGraph = boost::
    adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, GraphNode, boost::no_property>;

/// A node's place in its graph: it counts in the order of capture.
using GraphVertex = boost::graph_traits<CaptureGraph>::vertex_descriptor;

}  // namespace highwater
