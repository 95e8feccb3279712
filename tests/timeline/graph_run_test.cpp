// Graphs that run: nodes begin when all they depend on is done.
#include <memory>

#include "sim/timeline/timeline.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

using namespace std::chrono_literals;

namespace {

constexpr StreamId kStream{1};
constexpr StreamId kOther{2};

GraphNode kernel(Duration duration, float width = 1) {
    return {NodeKind::kKernel, kStream, width, duration, 0};
}

CaptureGraph chain(std::size_t nodes, Duration duration) {
    CaptureGraph graph;
    for (std::size_t i = 0; i < nodes; ++i) {
        add_vertex(kernel(duration), graph);
        if (i > 0) {
            add_edge(i - 1, i, graph);
        }
    }
    return graph;
}

// One node, then two branches, then one.
CaptureGraph diamond(float width) {
    CaptureGraph graph;
    add_vertex(kernel(2us), graph);
    add_vertex(kernel(10us, width), graph);
    add_vertex(kernel(6us, width), graph);
    add_vertex(kernel(2us), graph);
    add_edge(0, 1, graph);
    add_edge(0, 2, graph);
    add_edge(1, 3, graph);
    add_edge(2, 3, graph);
    return graph;
}

Duration time_of(const CaptureGraph& graph, const TimeProfile& times) {
    Timeline work(times, 2, 1);
    work.launch_graph(kStream, std::make_shared<GraphPlan>(graph, times.card), 3);
    work.drain();
    CHECK(work.graph_runs(3).count == 1);
    return work.graph_runs(3).time;
}

}  // namespace

TEST_CASE("a chain takes its nodes and the gaps between them", "[graph]") {
    TimeProfile times;
    times.card.node_gap = 1us;
    CHECK(time_of(chain(5, 10us), times) == 54us);
    CHECK(time_of(chain(1, 10us), times) == 10us);
    CHECK(time_of(chain(0, 10us), times) == 0us);
}

TEST_CASE("branches overlap as far as the card has room, and meet at a price", "[graph]") {
    TimeProfile times;
    CHECK(time_of(diamond(0.5F), times) == 14us);
    CHECK(time_of(diamond(1), times) == 20us);
    times.card.node_join = 3us;
    CHECK(time_of(diamond(0.5F), times) == 17us);
}

TEST_CASE("what follows a graph in its stream begins when its last node is done", "[graph]") {
    const TimeProfile times;
    Timeline work(times, 2, 1);
    work.launch_graph(kStream, std::make_shared<GraphPlan>(diamond(0.5F), times.card));
    work.launch(kStream, {5us, 1, Work::Unit::kCard});
    work.drain();
    CHECK(work.end() == Instant{19us});
}

TEST_CASE("graphs in two streams share the card node by node", "[graph]") {
    const TimeProfile times;
    Timeline work(times, 3, 1);
    const auto plan = std::make_shared<GraphPlan>(chain(3, 10us), times.card);
    work.launch_graph(kStream, plan, 0);
    work.launch_graph(kOther, plan, 1);
    work.drain();
    CHECK(work.end() == Instant{60us});
    // They take turns: the first does its last node while the second waits.
    CHECK(work.graph_runs(0).time == 50us);
    CHECK(work.graph_runs(1).time == 60us);
}

TEST_CASE("a graph may run again before its first run is over, each with its own count",
          "[graph]") {
    const TimeProfile times;
    Timeline work(times, 2, 1);
    const auto plan = std::make_shared<GraphPlan>(chain(2, 10us), times.card);
    for (int i = 0; i < 3; ++i) {
        work.launch_graph(kStream, plan, 0);
    }
    work.drain();
    CHECK(work.graph_runs(0).count == 3);
    CHECK(work.graph_runs(0).time == 60us);
}

}  // namespace highwater
