#include "sim/capture/graph_width.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/capture/antichain.hpp"
#include "sim/capture/neighbours.hpp"
#include "sim/capture/reachability.hpp"
#include "sim/capture/transitive_reduction.hpp"

namespace highwater {
namespace {

// The most nodes that have their longest way from a root in common: none of them reaches another.
std::size_t most_at_one_depth(const CaptureGraph& graph) {
    std::vector<std::size_t> depth;
    std::vector<std::size_t> at_depth(num_vertices(graph));
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        std::size_t here = 0;
        for (const GraphVertex before : predecessors_of(graph, node)) {
            here = std::max(here, depth[before] + 1);
        }
        depth.push_back(here);
        ++at_depth[here];
    }
    return at_depth.empty() ? 0 : *std::ranges::max_element(at_depth);
}

std::size_t largest_antichain(const CaptureGraph& graph) {
    WeightedOrder order{std::vector<std::uint64_t>(num_vertices(graph), 1), {}};
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        for (const GraphVertex next : successors_of(graph, node)) {
            order.before.emplace_back(node, next);
        }
    }
    return heaviest_antichain(order).elements.size();
}

}  // namespace

GraphWidth width_of(const CaptureGraph& graph, std::size_t most_nodes) {
    const std::size_t at_least = most_at_one_depth(graph);
    const std::size_t at_most = Reachability(graph).chains();
    if (at_least == at_most) {
        return {at_most, true};
    }
    if (num_vertices(graph) > most_nodes) {
        return {at_most, false};
    }
    return {largest_antichain(transitive_reduction(graph)), true};
}

std::size_t captured_streams(const CaptureGraph& graph) {
    std::set<StreamId> streams;
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        streams.insert(graph[node].stream);
    }
    return streams.size();
}

}  // namespace highwater
