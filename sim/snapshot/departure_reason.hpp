#pragma once

#include <string>

#include "sim/allocator/trace_event.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// The most likely reason why the rules lead to `got` (null for nothing) where the file has
/// `expected`, a sentence.
std::string departure_reason(const RecordedHistory& recorded,
                             const SnapshotEvent& expected,
                             const TraceEvent* got);

}  // namespace highwater
