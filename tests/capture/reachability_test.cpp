#include "sim/capture/reachability.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"
#include "tests/support/slow_order.hpp"

namespace highwater {

namespace {

// The order as `Reachability` answers, in the form of `slow_order`.
std::vector<std::vector<bool>> answers(const CaptureGraph& graph) {
    const Reachability order(graph);
    const std::size_t nodes = num_vertices(graph);
    std::vector<std::vector<bool>> all(nodes, std::vector<bool>(nodes));
    for (GraphVertex from = 0; from < nodes; ++from) {
        for (GraphVertex to = 0; to < nodes; ++to) {
            all[from][to] = order.reaches(from, to);
        }
    }
    return all;
}

}  // namespace

TEST_CASE("in a chain each node reaches those after it and not itself", "[graph]") {
    const Reachability order(chain(3));
    CHECK(order.reaches(0, 2));
    CHECK_FALSE(order.reaches(2, 0));
    CHECK_FALSE(order.reaches(1, 1));
    CHECK(order.chains() == 1);
}

TEST_CASE("a branch reaches the join and not the other branch", "[graph]") {
    const Reachability order(fork_join(2, 1, 1));
    // Side, main, join; side, main, join.
    CHECK_FALSE(order.reaches(3, 4));
    CHECK_FALSE(order.reaches(4, 3));
    CHECK(order.reaches(0, 3));
    CHECK(order.reaches(3, 5));
}

TEST_CASE("branches that are joined leave their chains to those of the next layer", "[graph]") {
    const std::size_t width = GENERATE(1U, 5U);
    CHECK(Reachability(fork_join(50, 2, width)).chains() == width + 1);
}

TEST_CASE("a stream that waits for another keeps to its own chain", "[graph]") {
    CaptureGraph graph;
    const GraphNode main{.stream = kMainStream};
    const GraphNode side{.stream = StreamId{9}};
    append(graph, main, {});
    append(graph, side, {});
    append(graph, side, {0, 1});
    append(graph, main, {0});
    CHECK(Reachability(graph).chains() == 2);
}

TEST_CASE("captured shapes are ordered as following every edge says", "[graph]") {
    const auto graph = GENERATE(chain(30), fork_join(6, 1, 1), fork_join(4, 3, 4));
    CHECK(answers(graph) == slow_order(graph));
}

TEST_CASE("any acyclic graph is ordered as following every edge says", "[graph][property]") {
    const auto like = GENERATE(RandomGraph{60, 1, 60},
                               RandomGraph{60, 2, 4},
                               RandomGraph{60, 2, 12},
                               RandomGraph{60, 3, 60},
                               RandomGraph{60, 6, 60});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto graph = random_graph(like, seed);
        INFO("up to " << like.most_before << " of " << like.reach << " before, seed " << seed);
        CHECK(answers(graph) == slow_order(graph));
    }
}

}  // namespace highwater
