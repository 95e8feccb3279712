#include "sim/driver/graph_exec_shape.hpp"

#include <tuple>

#include "sim/capture/transitive_reduction.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"

namespace highwater {

TEST_CASE("an empty graph and a chain have no joins", "[graph]") {
    CHECK(exec_shape_of({}) == GraphExecShape{});
    CHECK(exec_shape_of(chain(506)) == GraphExecShape{506, 0});
}

TEST_CASE("copies count as kernels, other nodes do not", "[graph]") {
    CHECK(exec_shape_of(memset_chain(40)).kernels == 0);
    CaptureGraph graph = chain(4);
    graph[1].kind = NodeKind::kMemcpy;
    graph[2].kind = NodeKind::kHost;
    CHECK(exec_shape_of(graph).kernels == 3);
}

TEST_CASE("each layer of fork-join graphs is one join, however wide and on whichever streams",
          "[graph]") {
    const std::size_t layers = GENERATE(1U, 24U);
    const std::size_t width = GENERATE(1U, 4U);
    CHECK(exec_shape_of(fork_join(layers, 2, width)) ==
          GraphExecShape{layers * (2 * (width + 1) + 1), layers});
}

TEST_CASE("an edge that another implies, and one made twice, join nothing", "[graph]") {
    CaptureGraph graph = chain(3);
    add_edge(0, 2, graph);
    add_edge(1, 2, graph);
    CHECK(exec_shape_of(graph).joins == 0);
}

TEST_CASE("joins are where the fewest edges that give the same order still meet", "[graph]") {
    const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{30}));
    INFO("seed " << seed);
    const CaptureGraph graph = random_graph({.nodes = 120, .most_before = 4, .reach = 10}, seed);
    const CaptureGraph reduced = transitive_reduction(graph);
    std::uint64_t joins = 0;
    for (GraphVertex node = 0; node < num_vertices(reduced); ++node) {
        joins += std::uint64_t{in_degree(node, reduced) > 1};
    }
    CHECK(joins > 0);
    CHECK(exec_shape_of(graph) == GraphExecShape{num_vertices(graph), joins});
}

}  // namespace highwater
