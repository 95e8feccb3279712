#pragma once

#include <functional>

#include "sim/allocator/async/stream_clocks.hpp"
#include "sim/allocator/async/stream_order.hpp"
#include "sim/timeline/timeline.hpp"

namespace highwater {

/// The order of streams on a timeline. Knows of the records and waits that it is told of, and of
/// those that the driver makes through it, which take the host no time.
class TimelineOrder : public StreamOrder {
  public:
    /// The timeline outlives it. `synchronize_device` is what the host does.
    TimelineOrder(Timeline& timeline, std::function<void()> synchronize_device)
        : timeline_(timeline), synchronize_device_(std::move(synchronize_device)) {}

    /// The program recorded an event, or made a stream wait for one.
    void note_record(StreamId stream, EventId event);
    void note_wait(StreamId stream, EventId event);

    EventId record(StreamId stream) override;
    bool completed(EventId event) override { return timeline_.is_done(event); }
    void synchronize(EventId event) override { timeline_.synchronize(event); }
    bool is_behind(StreamId stream, EventId point) const override {
        return clocks_.is_behind(stream, point);
    }
    void wait(StreamId stream, EventId point) override;
    void synchronize_device() override { synchronize_device_(); }

  private:
    Timeline& timeline_;
    std::function<void()> synchronize_device_;
    StreamClocks clocks_;
};

}  // namespace highwater
