#include "sim/capture/neighbours.hpp"

#include <algorithm>

#include <boost/range/iterator_range.hpp>

namespace highwater {
namespace {

void keep_each_once(std::vector<GraphVertex>& nodes) {
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

}  // namespace

std::vector<GraphVertex> predecessors_of(const CaptureGraph& graph, GraphVertex node) {
    std::vector<GraphVertex> nodes;
    for (const auto edge : boost::make_iterator_range(in_edges(node, graph))) {
        nodes.push_back(source(edge, graph));
    }
    keep_each_once(nodes);
    return nodes;
}

std::vector<GraphVertex> successors_of(const CaptureGraph& graph, GraphVertex node) {
    std::vector<GraphVertex> nodes;
    for (const auto edge : boost::make_iterator_range(out_edges(node, graph))) {
        nodes.push_back(target(edge, graph));
    }
    keep_each_once(nodes);
    return nodes;
}

}  // namespace highwater
