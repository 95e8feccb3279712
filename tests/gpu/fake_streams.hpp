#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "sim/allocator/ports.hpp"
#include "sim/core/ids.hpp"

namespace highwater::gpu {

/// Streams whose work is done as soon as nothing holds it back.
class FakeStreams : public EventSource {
  public:
    void work(StreamId stream, std::function<void()> call);
    void wait(StreamId stream, EventId event);
    void hold(StreamId stream);
    void release(StreamId stream);

    EventId record(StreamId stream) override;
    bool completed(EventId event) override { return events_.at(index_of(event)); }
    /// Whatever the host waits for must come by itself: throws `RefusedError` if it does not.
    void synchronize(EventId event) override;
    void synchronize_device();

  private:
    /// Gives whether it is over.
    using Item = std::function<bool()>;
    void put(StreamId stream, Item item);
    void run();

    std::map<StreamId, std::deque<Item>> items_;
    std::vector<bool> events_;
    std::map<StreamId, std::size_t> holds_;
    std::map<StreamId, std::size_t> releases_;
};

}  // namespace highwater::gpu
