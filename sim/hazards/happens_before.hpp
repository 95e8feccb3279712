#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/program.hpp"
#include "sim/hazards/clock.hpp"

namespace highwater {

/// A piece of work in a stream. `known` is what is done before it, itself included; it is valid
/// until the stream is given something else.
struct WorkPoint {
    StreamId stream{};
    Epoch epoch = 0;
    const Clock& known;
};

/// What orders the work of a Program outside of captures: streams, events, host threads that wait
/// for them, and the default stream's old rule (CUDA Runtime API reference, stream synchronization
/// behavior).
///
/// A query of an event orders nothing: the Program goes on whatever its answer. Nor does the order
/// in which host threads call, but that a thread begins behind what was before its first call.
class HappensBefore {
  public:
    /// `program` outlives it; its tables count, not its operations.
    explicit HappensBefore(const Program& program);

    /// The host gives the stream something to do.
    WorkPoint work(StreamId stream);
    /// Its graph runs one after the other: `last_run` is what is known at the end of the last one.
    WorkPoint replay(StreamId stream, Clock& last_run);
    /// cudaEventRecord: what the event completes after.
    const Clock& record(StreamId stream);
    void wait(StreamId stream, const Clock& event);
    /// The host waits.
    void synchronize(StreamId stream) { host().join(clocks_[index_of(stream)]); }
    void synchronize();
    Clock& host() { return *threads_[thread_]; }
    void switch_thread(ThreadId thread);
    const Clock& of(StreamId stream) const { return clocks_[index_of(stream)]; }

  private:
    void follow_legacy_order(StreamId stream);

    const Program& program_;
    bool has_blocking_streams_ = false;
    std::vector<Clock> clocks_;
    /// By `Clock::place_of`.
    std::vector<Epoch> epochs_;
    /// None before the thread's first call.
    std::vector<std::optional<Clock>> threads_;
    std::size_t thread_ = 0;
};

/// What orders the nodes of one capture.
class CaptureOrder {
  public:
    explicit CaptureOrder(StreamId origin) { clocks_[origin]; }

    bool has(StreamId stream) const { return clocks_.contains(stream); }
    /// The stream takes part.
    WorkPoint work(StreamId stream);
    const Clock& record(StreamId stream) { return clocks_.at(stream); }
    /// The stream takes part from now on.
    void wait(StreamId stream, const Clock& event) { clocks_[stream].join(event); }
    const std::map<StreamId, Clock>& members() const { return clocks_; }

  private:
    std::map<StreamId, Clock> clocks_;
    std::map<std::size_t, Epoch> epochs_;
};

}  // namespace highwater
