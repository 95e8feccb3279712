#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/allocator/settings.hpp"
#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// What a simulated process can tell of its memory. What it points to outlives its use.
struct SimulatedMemory {
    std::span<const SegmentInfo> segments;
    std::span<const TraceEvent> events;
    /// When each event happened; empty if no time passed.
    std::span<const Instant> times;
    const AllocatorSettings& settings;
    /// By `StreamId`.
    std::span<const StreamHandle> streams;
};

/// The snapshot that PyTorch would have taken: device 0, no stacks. Events know their pools. Times
/// are whole microseconds since the process began.
Snapshot snapshot_of(const SimulatedMemory& memory, const std::string& name);

/// An event as PyTorch would have written it, without stack and time. `streams` by `StreamId`.
SnapshotEvent snapshot_event(const TraceEvent& from, std::span<const StreamHandle> streams);

}  // namespace highwater
