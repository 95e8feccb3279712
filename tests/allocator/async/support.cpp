#include "tests/allocator/async/support.hpp"

#include "sim/allocator/predicted_error.hpp"

namespace highwater {

EventId ManualOrder::record(StreamId stream) {
    const EventId event{done_.size()};
    done_.push_back(is_idle);
    clocks_.record(stream, event);
    return event;
}

void ManualOrder::complete_all() {
    done_.assign(done_.size(), true);
}

void ManualOrder::wait(StreamId stream, EventId point) {
    ++waits_;
    clocks_.wait(stream, point);
}

void RecordedCaptures::require_unsafe_calls() {
    if (forbids_unsafe_calls) {
        throw PredictedError(PredictedError::Kind::kRuntimeError, "an unsafe call in a capture");
    }
}

void RecordedCaptures::join(StreamId waiting, StreamId waited_for) {
    captures.wait(waiting, captures.record(waited_for));
}

std::optional<CaptureId> RecordedCaptures::capture_of(StreamId stream) const {
    return captures.capture_of(stream);
}

std::vector<NodeId> RecordedCaptures::terminals(StreamId stream) const {
    return captures.terminals(stream);
}

bool RecordedCaptures::all_reached(const std::vector<NodeId>& nodes, StreamId stream) const {
    return captures.all_reached(nodes, stream);
}

NodeId RecordedCaptures::add(StreamId stream, NodeKind kind) {
    GraphNode node;
    node.kind = kind;
    node.stream = stream;
    captures.add(stream, node);
    return captures.terminals(stream).front();
}

AsyncProcess::AsyncProcess(Bytes card)
    : memory(card),
      allocator(parse_settings("backend:cudaMallocAsync"),
                card,
                kUnifying,
                AsyncPorts{memory, order, captures}) {}

Allocated AsyncProcess::malloc(Bytes size, StreamId stream) {
    const MallocResult result = allocator.malloc(size, stream);
    REQUIRE(std::holds_alternative<Allocated>(result));
    return std::get<Allocated>(result);
}

bool AsyncProcess::runs_out(Bytes size, StreamId stream) {
    return std::holds_alternative<OutOfMemory>(allocator.malloc(size, stream));
}

void AsyncProcess::wait_stream(StreamId waiting, StreamId waited_for) {
    if (captures.capture_of(waited_for)) {
        captures.join(waiting, waited_for);
    } else {
        order.wait(waiting, order.record(waited_for));
    }
}

void AsyncProcess::synchronize() {
    order.synchronize_device();
    allocator.synchronized();
}

void AsyncProcess::begin_capture(CaptureId capture, StreamId origin) {
    allocator.begin_capture(PoolId{1, 0}, capture);
    captures.captures.begin(capture, origin);
}

void AsyncProcess::end_capture(StreamId origin) {
    allocator.join_free_streams(origin);
    captures.captures.end(origin);
    allocator.end_routing(PoolId{1, 0});
}

}  // namespace highwater
