#include "tests/allocator/async/support.hpp"

#include <algorithm>

namespace highwater {

EventId ManualOrder::record(StreamId stream) {
    ++clocks_[stream][stream];
    points_.push_back({stream, clocks_[stream], is_idle});
    return EventId{points_.size() - 1};
}

bool ManualOrder::completed(EventId event) {
    return at(event).is_done;
}

void ManualOrder::complete_all() {
    for (Point& point : points_) {
        point.is_done = true;
    }
}

bool ManualOrder::is_behind(StreamId stream, EventId event) const {
    const Point& point = at(event);
    const auto clock = clocks_.find(stream);
    if (clock == clocks_.end()) {
        return false;
    }
    const auto known = clock->second.find(point.stream);
    return known != clock->second.end() && known->second >= point.clock.at(point.stream);
}

void ManualOrder::wait(StreamId stream, EventId point) {
    ++waits_;
    for (const auto& [other, count] : at(point).clock) {
        std::uint64_t& known = clocks_[stream][other];
        known = std::max(known, count);
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

NodeId RecordedCaptures::add(StreamId stream) {
    captures.launch(stream);
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

void AsyncProcess::end_capture(CaptureId capture, StreamId origin) {
    allocator.join_free_streams(origin);
    captures.captures.end(capture, origin);
    allocator.end_routing(PoolId{1, 0});
}

}  // namespace highwater
