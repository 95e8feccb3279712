#pragma once

#include <cstddef>
#include <set>
#include <utility>

#include "sim/engine/program.hpp"

namespace highwater {

/// Happens-before the slow way: the whole relation over all operations, closed, and all pairs of
/// accesses. Knows streams, events, synchronisation, threads, one capture at the beginning, its
/// replays and what the allocator waits for; no scopes of pools, no memory that goes back to the
/// device.
struct SlowHazards {
    /// Operations that access the same memory, a write among them, with nothing to order them.
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    /// The later ones of them.
    std::set<std::size_t> seconds;
};

SlowHazards slow_hazards(const Program& program);

}  // namespace highwater
