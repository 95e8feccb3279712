#include "sim/engine/driver_nodes.hpp"

#include "sim/allocator/predicted_error.hpp"

namespace highwater {

NodeId DriverNodes::add(StreamId stream, NodeKind kind) {
    GraphNode node;
    node.kind = kind;
    node.stream = stream;
    node.op = op_;
    captures_.add(stream, node);
    return captures_.terminals(stream).front();
}

void DriverNodes::join(StreamId waiting, StreamId waited_for) {
    captures_.wait(waiting, captures_.record(waited_for));
}

// Captures are in the mode that PyTorch begins them in, which forbids them to all threads.
void DriverNodes::require_unsafe_calls() {
    if (captures_.is_any_active()) {
        throw PredictedError(CudaError::kStreamCaptureUnsupported,
                             "memory is allocated or freed on a stream that is not part of the "
                             "capture under way",
                             "join the stream to the capture first, or do it before or after");
    }
}

}  // namespace highwater
