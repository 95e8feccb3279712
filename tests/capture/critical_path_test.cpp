#include "sim/capture/critical_path.hpp"

#include <algorithm>
#include <functional>

#include <boost/range/iterator_range.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"

namespace highwater {

namespace {

// The longest way on from a node, by trying every one.
Duration slow_longest_from(const CaptureGraph& graph, GraphVertex node, Duration gap) {
    Duration longest_rest{};
    for (const auto edge : boost::make_iterator_range(out_edges(node, graph))) {
        longest_rest =
            std::max(longest_rest, gap + slow_longest_from(graph, target(edge, graph), gap));
    }
    return graph[node].duration + longest_rest;
}

Duration slow_longest(const CaptureGraph& graph, Duration gap) {
    Duration longest{};
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        longest = std::max(longest, slow_longest_from(graph, node, gap));
    }
    return longest;
}

// What the path's own nodes and edges add up to.
Duration length_along(const CaptureGraph& graph,
                      const std::vector<GraphVertex>& path,
                      Duration gap) {
    Duration sum{};
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i > 0) {
            REQUIRE(edge(path[i - 1], path[i], graph).second);
            sum += gap;
        }
        sum += graph[path[i]].duration;
    }
    return sum;
}

}  // namespace

TEST_CASE("an empty graph takes no time", "[graph]") {
    CHECK(critical_path({}) == CriticalPath{});
}

TEST_CASE("the critical path goes through the longer branch", "[graph]") {
    CaptureGraph graph = fork_join(1, 1, 1);
    graph[0].duration = Duration{5};
    graph[1].duration = Duration{7};
    graph[2].duration = Duration{1};
    CHECK(critical_path(graph) == CriticalPath{Duration{8}, {1, 2}});
    CHECK(critical_path(graph, Duration{2}) == CriticalPath{Duration{10}, {1, 2}});
}

TEST_CASE("gaps can make a path of many short nodes the longest", "[graph]") {
    CaptureGraph graph = chain(3);
    append(graph, {.duration = Duration{10}}, {});
    CHECK(critical_path(graph).nodes == std::vector<GraphVertex>{3});
    CHECK(critical_path(graph, Duration{6}).nodes == std::vector<GraphVertex>{0, 1, 2});
}

TEST_CASE("of equal paths the one captured first is named", "[graph]") {
    const CaptureGraph graph = fork_join(2, 1, 2);
    CHECK(critical_path(graph, Duration{1}).nodes == std::vector<GraphVertex>{0, 3, 4, 7});
}

TEST_CASE("no path is longer than the critical one", "[graph][property]") {
    const Duration gap{GENERATE(0, 9)};
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const auto graph = random_graph({.nodes = 16, .most_before = 3, .reach = 6}, seed);
        const auto path = critical_path(graph, gap);
        INFO("seed " << seed);
        CHECK(path.length == slow_longest(graph, gap));
        CHECK(length_along(graph, path.nodes, gap) == path.length);
    }
}

}  // namespace highwater
