#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"

namespace highwater {

/// A stretch of simulated time: from `begin` up to, and without, `end`.
struct Span {
    Instant begin{};
    Instant end{};
    friend bool operator==(const Span&, const Span&) = default;
};

/// Hears what streams did, when it is done: in the order of the card's time, which is behind the
/// host's. `origin` is what the host was doing when it put it into the stream
/// (`Timeline::set_origin`). Waiting for room on the card is part of a span.
class TimelineListener {
  public:
    virtual ~TimelineListener() = default;

    /// A kernel, a copy or a host function.
    virtual void work_done(StreamId stream, std::size_t origin, Span span) = 0;
    virtual void graph_done(StreamId stream, std::size_t origin, Span span) = 0;
    /// A node of a graph's run on the stream; `tag` is that of `Timeline::launch_graph`.
    virtual void node_done(StreamId stream, std::size_t tag, std::uint32_t node, Span span) = 0;
    /// The stream had nothing to do but wait for an event of another stream.
    virtual void stream_waited(StreamId stream, std::size_t origin, Span span) = 0;
};

}  // namespace highwater
