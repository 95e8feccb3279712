#include "sim/timeline/graph_plan.hpp"

#include <algorithm>

namespace highwater {
namespace {

bool is_on_card(NodeKind kind) {
    return kind == NodeKind::kKernel || kind == NodeKind::kMemset || kind == NodeKind::kMemcpy;
}

// The first nodes begin with the launch.
Duration gap_before(std::size_t dependencies, const CardTimes& times) {
    if (dependencies == 0) {
        return {};
    }
    return times.node_gap + (dependencies > 1 ? times.node_join : Duration{});
}

}  // namespace

GraphPlan::GraphPlan(const CaptureGraph& graph, const CardTimes& times) {
    const std::size_t count = num_vertices(graph);
    nodes_.reserve(count);
    first_.reserve(count + 1);
    first_.push_back(0);
    for (std::size_t i = 0; i < count; ++i) {
        const GraphNode& node = graph[i];
        const std::size_t before = in_degree(i, graph);
        const bool on_card = is_on_card(node.kind);
        const Duration duration =
            on_card ? std::max(node.duration, times.least_kernel) : node.duration;
        nodes_.push_back({duration,
                          share_of(node.width),
                          on_card ? node.unit : WorkUnit::kHost,
                          gap_before(before, times),
                          static_cast<std::uint32_t>(before)});
        work_ += duration + nodes_.back().gap;
        for (auto [edge, end] = out_edges(i, graph); edge != end; ++edge) {
            dependents_.push_back(static_cast<std::uint32_t>(target(*edge, graph)));
        }
        first_.push_back(static_cast<std::uint32_t>(dependents_.size()));
    }
}

}  // namespace highwater
