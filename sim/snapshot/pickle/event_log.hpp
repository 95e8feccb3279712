#pragma once

#include <cstddef>
#include <vector>

#include "sim/snapshot/snapshot.hpp"

namespace highwater::pickle {

/// Events as they are read, in pieces that are never moved: a vector would hold them twice whenever
/// it grows.
class EventLog {
  public:
    void add(const SnapshotEvent& event);
    std::size_t size() const { return size_; }
    /// `count` events from `first`. The rest is lost, and given back piece by piece on the way.
    std::vector<SnapshotEvent> take(std::size_t first, std::size_t count) &&;

  private:
    std::vector<std::vector<SnapshotEvent>> pieces_;
    std::size_t size_ = 0;
};

}  // namespace highwater::pickle
