#include "sim/capture/graph_width.hpp"

#include <algorithm>
#include <bit>

#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"
#include "tests/support/slow_order.hpp"

namespace highwater {

namespace {

// The largest set of nodes without order among them, by trying every set.
std::size_t slow_width(const CaptureGraph& graph) {
    const auto order = slow_order(graph);
    const std::size_t nodes = num_vertices(graph);
    std::size_t widest = 0;
    for (std::size_t set = 0; set < std::size_t{1} << nodes; ++set) {
        const auto in_set = [set](std::size_t node) { return ((set >> node) & 1) != 0; };
        bool is_free = true;
        for (std::size_t a = 0; a < nodes; ++a) {
            for (std::size_t b = 0; b < nodes; ++b) {
                is_free = is_free && !(in_set(a) && in_set(b) && order[a][b]);
            }
        }
        if (is_free) {
            widest = std::max(widest, static_cast<std::size_t>(std::popcount(set)));
        }
    }
    return widest;
}

}  // namespace

TEST_CASE("a graph is as wide as it has branches side by side", "[graph]") {
    CHECK(width_of({}) == GraphWidth{0, true});
    CHECK(width_of(chain(100)) == GraphWidth{1, true});
    CHECK(width_of(fork_join(10, 3, 4)) == GraphWidth{4 + 1, true});
    // Proved without a flow.
    CHECK(width_of(fork_join(10, 3, 4), 0) == GraphWidth{4 + 1, true});
    CHECK(captured_streams(fork_join(10, 3, 4)) == 4 + 1);
    CHECK(captured_streams({}) == 0);
}

TEST_CASE("nodes at different depths may run at once", "[graph]") {
    // Two branches that fork after node 1, and a root beside all.
    CaptureGraph graph = chain(2);
    append(graph, {}, {});
    append(graph, {}, {1});
    append(graph, {}, {1});
    CHECK(width_of(graph) == GraphWidth{3, true});
}

TEST_CASE("the width is that of the largest set without order in it", "[graph][property]") {
    const auto like =
        GENERATE(RandomGraph{10, 1, 10}, RandomGraph{10, 2, 4}, RandomGraph{10, 3, 10});
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const auto graph = random_graph(like, seed);
        INFO("up to " << like.most_before << " of " << like.reach << " before, seed " << seed);
        const std::size_t widest = slow_width(graph);
        CHECK(width_of(graph) == GraphWidth{widest, true});
        const auto bound = width_of(graph, 0);
        CHECK(bound.nodes >= widest);
        CHECK((!bound.is_exact || bound.nodes == widest));
    }
}

TEST_CASE("in a graph that is too large for a proof the width may be a bound", "[graph]") {
    const auto graph = random_graph({.nodes = 200, .most_before = 2, .reach = 30}, 1);
    REQUIRE(width_of(graph, 200).is_exact);
    CHECK_FALSE(width_of(graph, 199).is_exact);
    CHECK(width_of(graph, 199).nodes >= width_of(graph, 200).nodes);
}

}  // namespace highwater
