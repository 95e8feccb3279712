#include "sim/capture/transitive_reduction.hpp"

#include "sim/capture/graph_shape.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"
#include "tests/support/slow_order.hpp"

namespace highwater {

namespace {

// Whether some edge can go without changing the order.
bool has_spare_edge(const CaptureGraph& graph) {
    const auto order = slow_order(graph);
    for (GraphVertex from = 0; from < num_vertices(graph); ++from) {
        for (GraphVertex to = 0; to < num_vertices(graph); ++to) {
            CaptureGraph without = graph;
            remove_edge(from, to, without);
            if (num_edges(without) < num_edges(graph) && slow_order(without) == order) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

TEST_CASE("an edge that others imply goes, and the nodes stay as they are", "[graph]") {
    CaptureGraph graph = memset_chain(3);
    add_edge(0, 2, graph);
    add_edge(0, 1, graph);
    const CaptureGraph reduced = transitive_reduction(graph);
    CHECK(shape_of(reduced) == shape_of(memset_chain(3)));
    CHECK(reduced[2] == graph[2]);
}

TEST_CASE("what goes from layers of branches are the edges of streams used again", "[graph]") {
    const std::size_t layers = 8;
    const std::size_t width = 3;
    const auto graph = fork_join(layers, 2, width);
    CHECK(num_edges(graph) - num_edges(transitive_reduction(graph)) == (layers - 1) * width);
}

TEST_CASE("a reduction keeps the order and has no edge to spare", "[graph][property]") {
    const auto like = GENERATE(RandomGraph{14, 3, 14}, RandomGraph{14, 5, 5});
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const auto graph = random_graph(like, seed);
        const auto reduced = transitive_reduction(graph);
        INFO("up to " << like.most_before << " of " << like.reach << " before, seed " << seed);
        CHECK(slow_order(reduced) == slow_order(graph));
        CHECK_FALSE(has_spare_edge(reduced));
    }
}

}  // namespace highwater
