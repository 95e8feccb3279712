#include "tests/support/slow_order.hpp"

#include <boost/range/iterator_range.hpp>

namespace highwater {
namespace {

std::vector<bool> reached_from(const CaptureGraph& graph, GraphVertex start) {
    std::vector<bool> reached(num_vertices(graph));
    std::vector<GraphVertex> open{start};
    while (!open.empty()) {
        const GraphVertex node = open.back();
        open.pop_back();
        for (const auto edge : boost::make_iterator_range(out_edges(node, graph))) {
            const GraphVertex next = target(edge, graph);
            if (!reached[next]) {
                reached[next] = true;
                open.push_back(next);
            }
        }
    }
    return reached;
}

}  // namespace

std::vector<std::vector<bool>> slow_order(const CaptureGraph& graph) {
    std::vector<std::vector<bool>> order;
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        order.push_back(reached_from(graph, node));
    }
    return order;
}

}  // namespace highwater
