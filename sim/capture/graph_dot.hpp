#pragma once

#include <functional>
#include <string>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// What a node says in a picture; lines end with '\n'.
using NodeLabel = std::function<std::string(GraphVertex)>;

/// A graph as text for Graphviz (the DOT language). Nodes say their place, kind and stream unless
/// `label` says something else. A stream has the same colour in every picture; of Graphviz's
/// scheme of twelve, so streams whose numbers differ by twelve share one.
std::string to_dot(const CaptureGraph& graph, const NodeLabel& label = {});

}  // namespace highwater
