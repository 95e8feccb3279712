#pragma once

#include <cuda_runtime_api.h>

#include "sim/capture/capture_graph.hpp"

namespace highwater::gpu {

/// The driver's graph as the simulator has graphs: kinds and edges; streams, durations and
/// operations are not known. Throws `RefusedError`.
CaptureGraph captured_graph(cudaGraph_t graph);

}  // namespace highwater::gpu
