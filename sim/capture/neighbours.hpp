#pragma once

#include <vector>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// The nodes that `node` directly depends on, ascending and each once.
std::vector<GraphVertex> predecessors_of(const CaptureGraph& graph, GraphVertex node);

/// The nodes that directly depend on `node`, ascending and each once.
std::vector<GraphVertex> successors_of(const CaptureGraph& graph, GraphVertex node);

}  // namespace highwater
