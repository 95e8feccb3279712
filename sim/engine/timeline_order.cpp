#include "sim/engine/timeline_order.hpp"

namespace highwater {
namespace {

// One event stands for all that are done as soon as they are recorded.
constexpr EventId kDone{0};

}  // namespace

void TimelineOrder::note_record(StreamId stream, EventId event) {
    if (event != kDone) {
        clocks_.record(stream, event);
    }
}

void TimelineOrder::note_wait(StreamId stream, EventId event) {
    if (event != kDone) {
        clocks_.wait(stream, event);
    }
}

EventId TimelineOrder::record(StreamId stream) {
    const EventId event = timeline_.mark(stream);
    note_record(stream, event);
    return event;
}

void TimelineOrder::wait(StreamId stream, EventId point) {
    timeline_.depend(stream, point);
    note_wait(stream, point);
}

}  // namespace highwater
