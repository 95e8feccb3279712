#pragma once

#include <map>

#include <cuda_runtime_api.h>

#include "gpu/card/cuda_card.hpp"
#include "sim/capture/capture_graph.hpp"

namespace highwater::gpu {

/// Captures and graphs through the CUDA runtime alone. Calls throw `RefusedError`.
class RawGraphs {
  public:
    /// The card outlives it.
    explicit RawGraphs(CudaCard& card) : card_(card) {}

    /// Refuses what PyTorch refuses: the default stream.
    void require_capturable(StreamId stream) const;
    /// Gives the driver's number of the capture.
    unsigned long long begin(GraphId graph, StreamId stream, CaptureMode mode);
    /// Refuses to end a capture on another stream than its own, or one that never began.
    void require_origin(GraphId graph, StreamId current) const;
    CaptureGraph end(GraphId graph, StreamId current);
    void instantiate(GraphId graph);
    void replay(GraphId graph, StreamId stream);
    void destroy(GraphId graph);

  private:
    struct Graph {
        StreamId origin{};
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
    };
    CudaCard& card_;
    std::map<GraphId, Graph> graphs_;
};

/// cudaStreamGetCaptureInfo.
struct CaptureInfo {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long number = 0;
    const cudaGraphNode_t* dependencies = nullptr;
    std::size_t count = 0;
};
CaptureInfo capture_info(cudaStream_t stream);

}  // namespace highwater::gpu
