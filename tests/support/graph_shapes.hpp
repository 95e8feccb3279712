#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/capture/capture_graph.hpp"

// Graphs as captures make them, and graphs as no capture would.
namespace highwater {

inline constexpr StreamId kMainStream{1};

/// Adds a node that depends on `before`.
GraphVertex append(CaptureGraph& graph,
                   const GraphNode& node,
                   const std::vector<GraphVertex>& before);

/// Kernels one after the other on one stream.
CaptureGraph chain(std::size_t nodes);

/// Memsets one after the other on one stream.
CaptureGraph memset_chain(std::size_t nodes);

/// Layers one after the other. In each, `width` side streams wait for the main stream and run
/// `per` kernels, the main stream runs `per` kernels, waits for them all and runs one more. The
/// side streams are the same in all layers. The main stream has run `lead` kernels before.
CaptureGraph fork_join(std::size_t layers,
                       std::size_t per,
                       std::size_t width,
                       std::size_t lead = 0);

/// Any acyclic graph: each node depends on up to `most_before` nodes among the `reach` before it;
/// streams and durations are drawn as well.
struct RandomGraph {
    std::size_t nodes = 0;
    std::size_t most_before = 2;
    std::size_t reach = 8;
};
CaptureGraph random_graph(const RandomGraph& like, std::uint64_t seed);

}  // namespace highwater
