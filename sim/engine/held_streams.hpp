#pragma once

#include <cstdint>
#include <vector>

#include "sim/allocator/ports.hpp"

namespace highwater {

/// GPU work without time: everything completes at once, except behind a held stream. A hold blocks
/// what is put into its stream from then on, and whatever waits for an event behind it.
class HeldStreams : public EventSource {
  public:
    /// The stream starts to wait for the host. Holding a held stream changes nothing.
    void hold(StreamId stream);
    /// The host lets the stream go.
    void release(StreamId stream);
    /// True if work put into the stream now would not complete.
    bool is_blocked(StreamId stream) const;
    /// cudaStreamWaitEvent.
    void wait(StreamId stream, EventId event);

    EventId record(StreamId stream) override;
    bool completed(EventId event) override;
    /// Throws `PredictedError` if the event is behind a held stream: the host would wait for ever.
    void synchronize(EventId event) override;

  private:
    using Hold = std::uint32_t;
    using Holds = std::vector<Hold>;

    bool in_force(Hold hold) const { return !released_[hold]; }
    Holds& holds_of(StreamId stream);

    /// By hold: whether it is over.
    std::vector<bool> released_;
    /// By stream: the holds its next work is behind, own and waited for.
    std::vector<Holds> behind_;
    /// By stream: the hold of its own that is in force, as number + 1; 0 for none.
    std::vector<Hold> own_;
    /// By event: the holds it was recorded behind. Event 0 is one that completes at once.
    std::vector<Holds> events_{Holds{}};
};

}  // namespace highwater
