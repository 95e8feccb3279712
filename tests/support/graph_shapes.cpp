#include "tests/support/graph_shapes.hpp"

#include <algorithm>
#include <random>

namespace highwater {
namespace {

// What a capture of one stream after the other adds to a graph.
class Recorder {
  public:
    void run(StreamId stream, std::size_t kernels, NodeKind kind = NodeKind::kKernel) {
        for (std::size_t i = 0; i < kernels; ++i) {
            auto& terminals = terminals_of(stream);
            terminals = {append(graph, {.kind = kind, .stream = stream}, terminals)};
        }
    }

    void wait(StreamId waiting, StreamId waited_for) {
        const auto added = terminals_of(waited_for);
        auto& terminals = terminals_of(waiting);
        for (const GraphVertex node : added) {
            if (!std::ranges::count(terminals, node)) {
                terminals.push_back(node);
            }
        }
    }

    CaptureGraph graph;

  private:
    std::vector<GraphVertex>& terminals_of(StreamId stream) {
        terminals_.resize(std::max(terminals_.size(), index_of(stream) + 1));
        return terminals_[index_of(stream)];
    }

    std::vector<std::vector<GraphVertex>> terminals_;
};

StreamId side_stream(std::size_t number) {
    return StreamId{static_cast<std::uint32_t>(index_of(kMainStream) + 1 + number)};
}

}  // namespace

GraphVertex append(CaptureGraph& graph,
                   const GraphNode& node,
                   const std::vector<GraphVertex>& before) {
    const GraphVertex added = add_vertex(node, graph);
    for (const GraphVertex other : before) {
        add_edge(other, added, graph);
    }
    return added;
}

CaptureGraph chain(std::size_t nodes) {
    Recorder recorder;
    recorder.run(kMainStream, nodes);
    return recorder.graph;
}

CaptureGraph memset_chain(std::size_t nodes) {
    Recorder recorder;
    recorder.run(kMainStream, nodes, NodeKind::kMemset);
    return recorder.graph;
}

CaptureGraph fork_join(std::size_t layers, std::size_t per, std::size_t width, std::size_t lead) {
    Recorder recorder;
    recorder.run(kMainStream, lead);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        for (std::size_t side = 0; side < width; ++side) {
            recorder.wait(side_stream(side), kMainStream);
            recorder.run(side_stream(side), per);
        }
        recorder.run(kMainStream, per);
        for (std::size_t side = 0; side < width; ++side) {
            recorder.wait(kMainStream, side_stream(side));
        }
        recorder.run(kMainStream, 1);
    }
    return recorder.graph;
}

CaptureGraph random_graph(const RandomGraph& like, std::uint64_t seed) {
    constexpr std::uint32_t kStreams = 4;
    constexpr std::uint64_t kLongest = 50;
    std::mt19937_64 random(seed);
    CaptureGraph graph;
    for (std::size_t node = 0; node < like.nodes; ++node) {
        std::vector<GraphVertex> before;
        const std::size_t wanted = random() % (like.most_before + 1);
        for (std::size_t i = 0; i < wanted && node > 0; ++i) {
            before.push_back(node - 1 - random() % std::min(node, like.reach));
        }
        append(graph,
               {.stream = StreamId{static_cast<std::uint32_t>(random() % kStreams)},
                .duration = Duration{static_cast<std::int64_t>(random() % kLongest)}},
               before);
    }
    return graph;
}

}  // namespace highwater
