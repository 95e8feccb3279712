#pragma once

#include <vector>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// Which nodes reach which, found by following every edge: `reached[a][b]` if b depends on a.
std::vector<std::vector<bool>> slow_order(const CaptureGraph& graph);

}  // namespace highwater
