#pragma once

#include <map>
#include <set>
#include <vector>

#include "sim/allocator/state.hpp"
#include "sim/allocator/trace_event.hpp"

namespace highwater {

/// What each of the native allocator's pools has reserved and allocated, followed from trace events
/// at a cost that does not grow with blocks.
class PoolMeter {
  public:
    struct Reading {
        PoolId pool;
        Bytes reserved;
        Bytes allocated;
        friend bool operator==(const Reading&, const Reading&) = default;
    };

    /// What is there already, before the first event.
    void begin(const allocator::State& s);
    void take(const TraceEvent& event);
    /// The pools that changed since the last call, by id. `s` is as the events have left it.
    std::vector<Reading> changes(const allocator::State& s);

  private:
    struct Pool {
        Bytes reserved;
        /// Reserved and not allocated: in all, and by stream.
        Bytes rest;
        std::map<StreamId, Bytes> rest_of;
    };
    void read_again(Pool& pool, const allocator::State& s, PoolId id, StreamId stream);

    std::map<PoolId, Pool> pools_;
    std::set<std::pair<PoolId, StreamId>> touched_;
    std::map<PoolId, Reading> last_;
};

}  // namespace highwater
