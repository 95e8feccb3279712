#include "sim/capture/transitive_reduction.hpp"

#include <algorithm>
#include <vector>

#include "sim/capture/neighbours.hpp"
#include "sim/capture/reachability.hpp"

namespace highwater {
namespace {

// Whether the edge from the predecessor at `place` says what another of them implies.
bool is_implied(const std::vector<GraphVertex>& before,
                std::size_t place,
                const Reachability& order) {
    // Only a later node can depend on it.
    return std::any_of(before.begin() + static_cast<std::ptrdiff_t>(place) + 1,
                       before.end(),
                       [&](GraphVertex other) { return order.reaches(before[place], other); });
}

}  // namespace

CaptureGraph transitive_reduction(const CaptureGraph& graph) {
    const Reachability order(graph);
    CaptureGraph reduced;
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        add_vertex(graph[node], reduced);
        const auto before = predecessors_of(graph, node);
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!is_implied(before, i, order)) {
                add_edge(before[i], node, reduced);
            }
        }
    }
    return reduced;
}

}  // namespace highwater
