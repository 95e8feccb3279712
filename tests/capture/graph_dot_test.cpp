#include "sim/capture/graph_dot.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"

namespace highwater {

TEST_CASE("a graph reads as Graphviz wants it", "[graph]") {
    CaptureGraph graph = fork_join(1, 1, 1);
    graph[0].kind = NodeKind::kMemset;
    CHECK(to_dot(graph) == R"(digraph capture {
    node [shape=box, style=filled, colorscheme=set312];
    0 [label="0: memset\nstream 2", fillcolor=3];
    1 [label="1: kernel\nstream 1", fillcolor=2];
    2 [label="2: kernel\nstream 1", fillcolor=2];
    0 -> 2;
    1 -> 2;
}
)");
}

TEST_CASE("labels may hold what Graphviz reads as its own", "[graph]") {
    const auto text = to_dot(chain(1), [](GraphVertex) { return "a \"b\"\\\nc"; });
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring(R"([label="a \"b\"\\\nc",)"));
}

TEST_CASE("colours stay within the scheme", "[graph]") {
    CaptureGraph graph = chain(1);
    graph[0].stream = StreamId{35};
    CHECK_THAT(to_dot(graph), Catch::Matchers::ContainsSubstring("fillcolor=12]"));
    graph[0].stream = StreamId{36};
    CHECK_THAT(to_dot(graph), Catch::Matchers::ContainsSubstring("fillcolor=1]"));
}

}  // namespace highwater
