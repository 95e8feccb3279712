#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/allocator/memory_stats.hpp"
#include "sim/allocator/snapshot.hpp"
#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// The counters at one `op::Checkpoint`.
struct CheckpointRow {
    std::string name;
    MemoryStats stats;
    /// How many placements had been made by then: an index into `Ledger::placements`.
    std::size_t placements = 0;
    friend bool operator==(const CheckpointRow&, const CheckpointRow&) = default;
};

/// Where one allocation landed.
struct Placement {
    TensorId tensor{};
    Address address;
    /// As asked for.
    Bytes size;
    friend bool operator==(const Placement&, const Placement&) = default;
};

/// What one stream holds of one pool.
struct PoolStreamRow {
    StreamId stream{};
    Bytes reserved;
    /// The largest `reserved` there ever was.
    Bytes high_water;
    friend bool operator==(const PoolStreamRow&, const PoolStreamRow&) = default;
};

/// One pool, small and large together: the default pools have id (0, 0).
struct PoolRow {
    PoolId id;
    /// The Program's name for it, "default", or the name of the graph that made it.
    std::string name;
    Bytes reserved;
    Bytes high_water;
    Bytes allocated;
    std::vector<PoolStreamRow> streams;
    friend bool operator==(const PoolRow&, const PoolRow&) = default;
};

/// The operation at which the program would stop, and why.
struct Failure {
    enum class Kind { kOutOfMemory, kPyTorchError };
    Kind kind{};
    /// Index into `Program::ops`.
    std::size_t op = 0;
    std::string message;
    friend bool operator==(const Failure&, const Failure&) = default;
};

/// What came out of a run: the figures, predicted or measured.
struct Ledger {
    std::vector<CheckpointRow> checkpoints;
    MemoryStats result;
    std::vector<PoolRow> pools;
    std::vector<Placement> placements;
    /// All segments at the end, by address. Streams and pools are the allocator's.
    std::vector<SegmentInfo> segments;
    std::optional<Failure> failure;
    friend bool operator==(const Ledger&, const Ledger&) = default;
};

}  // namespace highwater
