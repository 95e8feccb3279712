#pragma once

#include <cstddef>

#include "sim/allocator/trace_event.hpp"
#include "sim/snapshot/planned_requests.hpp"
#include "sim/snapshot/simulated_history.hpp"

namespace highwater {

/// Looks on as a history is played.
class HistoryObserver : public TraceSink {
  public:
    /// Of the allocator, from the first request on.
    void take(const TraceEvent& /*event*/) override {}
    /// `number`: of the request, in the order in which they are made, from 0.
    virtual void before(std::size_t /*number*/,
                        const PlannedRequest& /*planned*/,
                        const SimulatedHistory& /*simulated*/) {}
    virtual void after(std::size_t /*number*/,
                       const PlannedRequest& /*planned*/,
                       const SimulatedHistory& /*simulated*/) {}
    /// After the last request, or the one that failed.
    virtual void ended(const SimulatedHistory& /*simulated*/) {}
};

}  // namespace highwater
