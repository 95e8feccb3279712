#include "sim/engine/driver_nodes.hpp"

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

void DriverNodes::require_unsafe_calls() {
    captures_.call(CudaCall::kMallocAsync);
}

}  // namespace highwater
