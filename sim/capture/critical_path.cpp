#include "sim/capture/critical_path.hpp"

#include <algorithm>
#include <optional>

#include "sim/capture/neighbours.hpp"

namespace highwater {
namespace {

// The longest path that ends with a node.
struct LongestTo {
    Duration length{};
    std::optional<GraphVertex> before;
};

LongestTo longest_to(const CaptureGraph& graph,
                     GraphVertex node,
                     const std::vector<LongestTo>& earlier,
                     Duration gap) {
    LongestTo longest{graph[node].duration, std::nullopt};
    for (const GraphVertex before : predecessors_of(graph, node)) {
        const Duration length = earlier[before].length + gap + graph[node].duration;
        if (!longest.before || length > longest.length) {
            longest = {length, before};
        }
    }
    return longest;
}

}  // namespace

CriticalPath critical_path(const CaptureGraph& graph, Duration gap) {
    std::vector<LongestTo> longest;
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        longest.push_back(longest_to(graph, node, longest, gap));
    }
    const auto last = std::ranges::max_element(longest, {}, &LongestTo::length);
    if (last == longest.end()) {
        return {};
    }
    CriticalPath path{last->length, {}};
    std::optional<GraphVertex> node = static_cast<GraphVertex>(last - longest.begin());
    for (; node; node = longest[*node].before) {
        path.nodes.push_back(*node);
    }
    std::ranges::reverse(path.nodes);
    return path;
}

}  // namespace highwater
