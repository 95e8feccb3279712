#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/core/address.hpp"
#include "sim/hazards/access.hpp"
#include "sim/hazards/happens_before.hpp"
#include "sim/hazards/shadow_memory.hpp"

namespace highwater {

/// An access to a range of memory.
struct RangeAccess {
    Address begin;
    Address end;
    Access access;
};

/// What a graph does to memory, seen from outside: of what happens inside, and in which order, only
/// what is there before and after can matter to others.
struct GraphEffect {
    /// A replay of it.
    struct Run {
        std::uint32_t op = 0;
        StreamId stream{};
        Epoch epoch = 0;
    };
    /// What is read before the graph has written it.
    std::vector<RangeAccess> reads;
    /// Of each range the last write.
    std::vector<RangeAccess> writes;
    /// What is known when the last replay is done: replays of one graph follow each other.
    Clock last_run;
    std::optional<Run> last;
};

/// A capture under way. Addresses are those at capture, as in the graph itself.
class CapturedAccesses {
  public:
    explicit CapturedAccesses(StreamId origin) : order_(origin) {}

    CaptureOrder& order() { return order_; }
    void read(const RangeAccess& read, const Clock& known, ShadowMemory::Listener& listener);
    void write(const RangeAccess& write, const Clock& known, ShadowMemory::Listener& listener);

    GraphEffect effect();

  private:
    CaptureOrder order_;
    ShadowMemory memory_;
    std::vector<RangeAccess> reads_;
    /// Of those in `reads_`, beginnings and tensors.
    std::set<std::pair<Address, Instance>> known_reads_;
};

}  // namespace highwater
