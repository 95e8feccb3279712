#pragma once

#include <span>
#include <vector>

#include "sim/allocator/trace_event.hpp"

namespace highwater {

/// Equal in all that a recording tells: it has no pools, and an oom's address is the device's free
/// memory.
bool same_event(const TraceEvent& recorded, const TraceEvent& simulated);

/// The simulated events of one operation, with what PyTorch's hash order decides put in the order
/// of the recording (allocator specification 10): neighbouring free_completed events in any order,
/// and the private pools that one release visits. Nothing else moves.
std::vector<TraceEvent> in_recorded_order(std::span<const TraceEvent> simulated,
                                          std::span<const TraceEvent> recorded);

}  // namespace highwater
