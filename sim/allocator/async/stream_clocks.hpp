#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/ids.hpp"

namespace highwater {

/// Which stream is behind which event: a vector clock a stream. An `EventSource` and this, told of
/// the same records and waits, make a `StreamOrder`.
class StreamClocks {
  public:
    /// `event` was recorded on the stream. Ids are small numbers: memory goes by the largest. One
    /// that is recorded again stands for the last time.
    void record(StreamId stream, EventId event);
    /// The stream waits for an event that was recorded.
    void wait(StreamId stream, EventId event);
    /// True if the event was recorded on the stream, or the stream has waited for it, or for
    /// something behind it.
    bool is_behind(StreamId stream, EventId event) const;

  private:
    /// By stream, how many of its events lie behind.
    using Counts = std::vector<std::uint64_t>;
    struct Stream {
        /// Events recorded on it.
        std::uint64_t own = 0;
        /// Those of others behind it. Shared with its events, because records are more frequent
        /// than waits; never null once the stream is known.
        std::shared_ptr<const Counts> others;
    };
    struct Event {
        StreamId stream{};
        Stream behind;
    };

    Stream& stream(StreamId id);

    std::vector<Stream> streams_;
    std::vector<Event> events_;
};

}  // namespace highwater
