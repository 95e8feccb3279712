#include "sim/capture/graph_shape.hpp"

#include "sim/capture/neighbours.hpp"

namespace highwater {

GraphShape shape_of(const CaptureGraph& graph) {
    GraphShape shape;
    shape.nodes = num_vertices(graph);
    for (GraphVertex node = 0; node < shape.nodes; ++node) {
        const std::size_t before = predecessors_of(graph, node).size();
        const std::size_t after = successors_of(graph, node).size();
        ++shape.kinds[graph[node].kind];
        shape.edges += after;
        shape.forks += after > 1 ? 1 : 0;
        shape.joins += before > 1 ? 1 : 0;
        shape.roots += before == 0 ? 1 : 0;
        shape.leaves += after == 0 ? 1 : 0;
    }
    return shape;
}

}  // namespace highwater
