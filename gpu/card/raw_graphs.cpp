#include "gpu/card/raw_graphs.hpp"

#include <utility>

#include "gpu/card/captured_graph.hpp"
#include "gpu/card/cuda_call.hpp"

namespace highwater::gpu {
namespace {

cudaStreamCaptureMode driver_mode(CaptureMode mode) {
    switch (mode) {
        case CaptureMode::kThreadLocal:
            return cudaStreamCaptureModeThreadLocal;
        case CaptureMode::kRelaxed:
            return cudaStreamCaptureModeRelaxed;
        case CaptureMode::kGlobal:
            break;
    }
    return cudaStreamCaptureModeGlobal;
}

}  // namespace

CaptureInfo capture_info(cudaStream_t stream) {
    CaptureInfo info;
#if CUDART_VERSION >= 13000
    const cudaError_t status = cudaStreamGetCaptureInfo(
        stream, &info.status, &info.number, nullptr, &info.dependencies, nullptr, &info.count);
#else
    const cudaError_t status = cudaStreamGetCaptureInfo_v2(
        stream, &info.status, &info.number, nullptr, &info.dependencies, &info.count);
#endif
    cuda_call(status, "cudaStreamGetCaptureInfo");
    return info;
}

void RawGraphs::require_capturable(StreamId stream) const {
    if (card_.stream(stream) == nullptr) {
        throw RefusedError("the default stream cannot be captured");
    }
}

unsigned long long RawGraphs::begin(GraphId id, StreamId stream, CaptureMode mode) {
    cuda_call(cudaStreamBeginCapture(card_.stream(stream), driver_mode(mode)),
              "cudaStreamBeginCapture");
    graphs_.insert_or_assign(id, Graph{stream, nullptr, nullptr});
    return capture_info(card_.stream(stream)).number;
}

void RawGraphs::require_origin(GraphId id, StreamId current) const {
    const auto found = graphs_.find(id);
    if (found == graphs_.end()) {
        throw RefusedError("the capture that is to end never began");
    }
    if (current != found->second.origin) {
        throw RefusedError("a capture ends only on the stream it began on");
    }
}

CaptureGraph RawGraphs::end(GraphId id, StreamId current) {
    require_origin(id, current);
    Graph& graph = graphs_.at(id);
    cuda_call(cudaStreamEndCapture(card_.stream(graph.origin), &graph.graph),
              "cudaStreamEndCapture");
    return captured_graph(graph.graph);
}

// As PyTorch does.
void RawGraphs::instantiate(GraphId id) {
    constexpr unsigned long long kFlags =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;
    Graph& graph = graphs_.at(id);
    cuda_call(cudaGraphInstantiateWithFlags(&graph.executable, graph.graph, kFlags),
              "cudaGraphInstantiateWithFlags");
    cuda_call(cudaGraphDestroy(std::exchange(graph.graph, nullptr)), "cudaGraphDestroy");
}

void RawGraphs::replay(GraphId id, StreamId stream) {
    const auto found = graphs_.find(id);
    if (found == graphs_.end() || found->second.executable == nullptr) {
        throw RefusedError("a graph is replayed, and its capture has not ended well");
    }
    cuda_call(cudaGraphLaunch(found->second.executable, card_.stream(stream)), "cudaGraphLaunch");
}

void RawGraphs::destroy(GraphId id) {
    const auto found = graphs_.find(id);
    if (found == graphs_.end()) {
        return;
    }
    const Graph graph = found->second;
    graphs_.erase(found);
    if (graph.graph != nullptr) {
        cuda_call(cudaGraphDestroy(graph.graph), "cudaGraphDestroy");
    }
    if (graph.executable != nullptr) {
        cuda_call(cudaGraphExecDestroy(graph.executable), "cudaGraphExecDestroy");
    }
}

}  // namespace highwater::gpu
