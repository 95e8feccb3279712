#include "sim/capture/graph_shape.hpp"

#include <tuple>

#include "sim/capture/transitive_reduction.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"

namespace highwater {

TEST_CASE("a graph without nodes has nothing to count", "[graph]") {
    CHECK(shape_of({}) == GraphShape{});
}

TEST_CASE("a chain has one edge fewer than nodes, and neither forks nor joins", "[graph]") {
    const auto nodes = GENERATE(std::size_t{1}, std::size_t{506});
    CHECK(shape_of(chain(nodes)) == GraphShape{.kinds = {{NodeKind::kKernel, nodes}},
                                               .nodes = nodes,
                                               .edges = nodes - 1,
                                               .roots = 1,
                                               .leaves = 1});
}

TEST_CASE("nodes are counted by kind", "[graph]") {
    CaptureGraph graph = memset_chain(3);
    append(graph, {.kind = NodeKind::kMemcpy}, {2});
    CHECK(shape_of(graph).kinds ==
          std::map<NodeKind, std::size_t>{{NodeKind::kMemset, 3}, {NodeKind::kMemcpy, 1}});
}

TEST_CASE("fork-join graphs have as many nodes as those captured on a card", "[graph]") {
    using Row = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
    const auto [layers, per, width, nodes] =
        GENERATE(table<std::size_t, std::size_t, std::size_t, std::size_t>({Row{32, 1, 1, 96},
                                                                            Row{32, 10, 1, 672},
                                                                            Row{32, 5, 4, 832},
                                                                            Row{64, 10, 3, 2624},
                                                                            Row{1, 2000, 1, 4001},
                                                                            Row{32, 1, 8, 320}}));
    CHECK(shape_of(fork_join(layers, per, width)).nodes == nodes);
}

TEST_CASE("a side stream that is used again adds an implied edge from its last work", "[graph]") {
    const std::size_t layers = 24;
    const std::size_t per = 3;
    const std::size_t width = GENERATE(1U, 4U);
    const auto shape = shape_of(fork_join(layers, per, width));
    const std::size_t branches = width + 1;
    // Between two layers each side stream goes on from its own last node and from the join.
    const std::size_t used_again = (layers - 1) * width;
    CHECK(shape.joins == layers + used_again);
    CHECK(shape.forks == layers - 1 + used_again);
    CHECK(shape.roots == branches);
    CHECK(shape.leaves == 1);
    // A layer has the edges in its branches and those to its join.
    CHECK(shape.edges == layers * branches * per + (layers - 1) * branches + used_again);
}

TEST_CASE("a model of 24 layers on one shared side stream has the counts of its capture",
          "[graph]") {
    // Measured: 1403 nodes, 1449 edges, 47 forks, 47 joins. Only the implied edges explain 47.
    const std::size_t measured_spare_edges = 1449 - 1403;
    const std::size_t measured_forks = 47;
    const std::size_t measured_joins = 47;
    const CaptureGraph graph = fork_join(24, 2, 1, 1);
    const auto shape = shape_of(graph);
    CHECK(shape.edges - shape.nodes == measured_spare_edges);
    CHECK(shape.forks == measured_forks);
    CHECK(shape.joins == measured_joins);
    CHECK(shape_of(transitive_reduction(graph)).forks == 24);
}

TEST_CASE("an edge that others imply counts, one made twice counts once", "[graph]") {
    CaptureGraph graph = chain(3);
    add_edge(0, 2, graph);
    add_edge(0, 2, graph);
    const auto shape = shape_of(graph);
    CHECK(shape.edges == 3);
    CHECK(shape.forks == 1);
    CHECK(shape.joins == 1);
}

}  // namespace highwater
