#pragma once

#include <chrono>
#include <cstdint>

namespace highwater {

/// The clock of a simulated process: it starts at 0 and moves when the simulator says so.
struct SimClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<SimClock>;
    static constexpr bool is_steady = true;
};

/// Whole nanoseconds. Spans and points of time do not mix: there is no Instant + Instant.
using Duration = SimClock::duration;
using Instant = SimClock::time_point;

/// Nanoseconds since the process began.
constexpr std::int64_t nanoseconds_of(Instant at) {
    return at.time_since_epoch().count();
}

}  // namespace highwater
