#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/allocator/memory_stats.hpp"
#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/stranded_bytes.hpp"
#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/cuda_error.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"
#include "sim/driver/driver_memory.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// The counters at one `op::Checkpoint`.
struct CheckpointRow {
    std::string name;
    MemoryStats stats;
    /// How many placements had been made by then: an index into `Ledger::placements`.
    std::size_t placements = 0;
    /// Of the host thread that came by; 0 without a cost profile.
    Instant time{};
    /// Up to then: how long anything on the card was at work, how long it had nothing to do because
    /// the host had not launched it yet, and how long host threads waited for it.
    Duration card_busy{};
    Duration host_bound{};
    Duration host_waited{};
    /// What the driver holds beside the allocator, and how far that may be off; without a cost
    /// profile what the Program names.
    Bytes driver{};
    Bytes driver_error{};
    friend bool operator==(const CheckpointRow&, const CheckpointRow&) = default;
};

/// Where one allocation landed.
struct Placement {
    TensorId tensor{};
    Address address;
    /// As asked for.
    Bytes size;
    /// The allocation: an index into `Program::ops`.
    std::size_t op = 0;
    /// An index into `Ledger::pools`.
    std::size_t pool = 0;
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
    /// The last time that its high-water mark rose. None if it never did, or cudaMallocAsync has
    /// the memory: why the driver's pool grows is not told.
    std::optional<Growth> last_growth{};
    friend bool operator==(const PoolRow&, const PoolRow&) = default;
};

/// One capture of a graph, and its replays.
struct GraphRow {
    GraphId graph{};
    std::size_t nodes = 0;
    std::size_t edges = 0;
    /// Nodes with more than one successor, and predecessor: see `GraphShape`.
    std::size_t forks = 0;
    std::size_t joins = 0;
    /// The most nodes that could run at once, or a bound on that: see `GraphWidth`.
    std::size_t width = 0;
    bool is_width_exact = true;
    /// The longest path through it, with the profile's gaps; 0 without a cost profile.
    Duration critical_path{};
    /// By how much the driver's memory grew when it was made executable.
    Bytes driver{};
    /// On the host: the capture, and making it executable.
    Duration capture_time{};
    Duration instantiate_time{};
    std::uint64_t replays = 0;
    /// On the card, over all replays: from a replay's first node to the end of its last.
    Duration replay_time{};
    friend bool operator==(const GraphRow&, const GraphRow&) = default;
};

/// How long a stream was at work.
struct StreamTime {
    StreamId stream{};
    Duration busy{};
    friend bool operator==(const StreamTime&, const StreamTime&) = default;
};

/// When a run was over, host and card, and what its time went to.
struct RunTimes {
    Instant end{};
    Duration card_busy{};
    Duration host_bound{};
    Duration host_waited{};
    /// Streams that were at work at all.
    std::vector<StreamTime> streams;
    friend bool operator==(const RunTimes&, const RunTimes&) = default;
};

/// Memory from a moment on.
struct MemoryAt {
    Instant time{};
    Bytes allocated;
    Bytes active;
    Bytes reserved;
    friend bool operator==(const MemoryAt&, const MemoryAt&) = default;
};

/// An operation that failed, and why.
struct Failure {
    /// kOutOfMemory: of the allocator, or of the driver (cudaErrorMemoryAllocation).
    enum class Kind { kOutOfMemory, kPyTorchError };
    Kind kind{};
    /// Index into `Program::ops`.
    std::size_t op = 0;
    std::string message;
    /// Of CUDA's, where it is one.
    std::optional<CudaError> cuda_error{};
    /// What to do; may be empty.
    std::string remedy{};
    /// The name of the `op::Try` that it ended; empty where it ended the program.
    std::string tried{};
    /// The earlier operation that is to blame, if one is: an index into `Program::ops`.
    std::optional<std::size_t> cause{};
    friend bool operator==(const Failure&, const Failure&) = default;
};

/// A cudaMalloc that failed, and was tried again once PyTorch had given back what it cached.
struct Retry {
    /// Index into `Program::ops`.
    std::size_t op = 0;
    Instant time{};
    friend bool operator==(const Retry&, const Retry&) = default;
};

/// What came out of a run: the figures, predicted or measured.
struct Ledger {
    std::vector<CheckpointRow> checkpoints;
    MemoryStats result;
    std::vector<PoolRow> pools;
    std::vector<Placement> placements;
    /// All segments at the end, by address. Streams and pools are the allocator's.
    std::vector<SegmentInfo> segments;
    /// The one at which the program would stop.
    std::optional<Failure> failure;
    /// Those that something was done about.
    std::vector<Failure> caught;
    std::optional<Retry> first_retry;
    /// None without a cost profile.
    std::optional<RunTimes> times;
    /// What the driver holds at the end, part by part. Without a cost profile what the Program
    /// names, and none if it names nothing.
    std::optional<std::vector<DriverTerm>> driver;
    /// In the order in which their captures ended.
    std::vector<GraphRow> graphs;
    /// Each change of memory, in the order of the Program and of time: a change by a thread that is
    /// behind another one has the other's time. Empty unless it was asked for.
    std::vector<MemoryAt> memory;
    friend bool operator==(const Ledger&, const Ledger&) = default;
};

/// What the driver holds at the end, and how far that may be off; 0 where it is not known.
Bytes driver_total(const Ledger& ledger);
Bytes driver_error(const Ledger& ledger);

}  // namespace highwater
