#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/allocator/memory_stats.hpp"
#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// What an operation gave on hardware.
struct RecordedOutOfMemory {
    friend bool operator==(RecordedOutOfMemory, RecordedOutOfMemory) = default;
};
using RecordedResult = std::variant<std::monostate, Address, PoolId, RecordedOutOfMemory>;

/// One recorded operation: a few operations of the Program, and what came of them.
struct RecordedOp {
    /// As it stands in the file.
    std::string text;
    /// [begin, end) in `Program::ops`.
    std::size_t begin = 0;
    std::size_t end = 0;
    RecordedResult result;
    /// In the order of `RecordedProgram::counters`.
    std::vector<std::uint64_t> counters;
};

/// An allocator program that ran on hardware, with all that was seen of it.
struct RecordedProgram {
    std::string seed;
    Program program;
    PoolNumbers numbers;
    /// Segments held at the start.
    std::vector<SegmentInfo> base;
    /// Names of the counters noted after each operation.
    std::vector<std::string> counters;
    std::vector<RecordedOp> ops;
    std::vector<TraceEvent> trace;
    /// Segments at the end.
    std::vector<SegmentInfo> segments;
    /// The statistics at the end.
    MemoryStats final;
};

}  // namespace highwater
