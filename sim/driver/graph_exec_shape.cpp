#include "sim/driver/graph_exec_shape.hpp"

#include <algorithm>

#include <boost/range/iterator_range.hpp>

#include "sim/capture/reachability.hpp"

namespace highwater {
namespace {

bool is_launch(NodeKind kind) {
    return kind == NodeKind::kKernel || kind == NodeKind::kMemcpy;
}

// The latest dependency implies all others, or there are two that do not imply each other.
bool joins_branches(const CaptureGraph& graph, const Reachability& order, GraphVertex node) {
    const auto edges = boost::make_iterator_range(in_edges(node, graph));
    GraphVertex latest = 0;
    for (const auto& edge : edges) {
        latest = std::max(latest, source(edge, graph));
    }
    return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
        const GraphVertex before = source(edge, graph);
        return before != latest && !order.reaches(before, latest);
    });
}

}  // namespace

GraphExecShape exec_shape_of(const CaptureGraph& graph) {
    const Reachability order(graph);
    GraphExecShape shape;
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        shape.kernels += std::uint64_t{is_launch(graph[node].kind)};
        shape.joins += std::uint64_t{joins_branches(graph, order, node)};
    }
    return shape;
}

}  // namespace highwater
