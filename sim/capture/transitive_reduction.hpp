#pragma once

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// The same nodes with the fewest edges that give the same order: without those that others imply.
///
/// Costs a `Reachability`, and for a node of d predecessors up to d x d / 2 questions to it.
/// Boost's function of this name keeps nodes x nodes bits, takes as many steps, and drops the
/// nodes' properties.
CaptureGraph transitive_reduction(const CaptureGraph& graph);

}  // namespace highwater
