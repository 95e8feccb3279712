#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "sim/allocator/block.hpp"
#include "sim/allocator/counters.hpp"
#include "sim/allocator/free_blocks.hpp"
#include "sim/allocator/ports.hpp"
#include "sim/allocator/settings.hpp"
#include "sim/allocator/stranded_bytes.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/core/ids.hpp"

/// The allocator's state (allocator specification 2) and, in the headers beside this one, its rules
/// as functions on it, one header a section of the specification.
namespace highwater::allocator {

/// A block pool: the free blocks of one kind of one owner, by its place in `State::pools`.
enum class BlockPoolId : std::uint32_t {};
inline constexpr BlockPoolId kDefaultSmallPool{0};
inline constexpr BlockPoolId kDefaultLargePool{1};

struct BlockPool {
    PoolKind kind{};
    PoolId owner;
    /// Index into `State::usages`.
    std::size_t usage = 0;
    bool no_split = false;
    /// Searches so far, modulo 2^32: the clock by which garbage collection tells age.
    std::uint32_t lookups = 0;
    /// Indexed by StreamId; `kNoPoolStream` where the stream has not used the pool.
    std::vector<PoolStreamId> of_stream;
};
inline constexpr PoolStreamId kNoPoolStream{UINT32_MAX};

/// What one stream holds of one block pool.
struct PoolStream {
    BlockPoolId pool{};
    StreamId stream{};
    /// As the pool says; here because every malloc asks.
    PoolKind kind{};
    bool no_split = false;
    FreeBlocks free;
    /// Pending blocks: for events, or parked.
    Bytes waiting;
    Bytes parked;
    /// Unmapped blocks of expandable segments, by address.
    std::vector<BlockId> unmapped;
};

/// Memory held of the device: now, and at most.
struct Usage {
    Bytes reserved;
    Bytes high_water;
};

/// What the small and the large pool of one owner hold together. Stays when the pool goes.
struct PoolUsage {
    PoolId id;
    Usage total;
    /// Indexed by StreamId, as far as streams used the pool.
    std::vector<Usage> by_stream;
    /// The last that raised the total's high-water mark.
    std::optional<Growth> last_growth{};
};

struct PrivatePool {
    BlockPoolId small{};
    BlockPoolId large{};
    /// Graphs, MemPool objects and use_mem_pool scopes that hold it. At 0 it is freeable.
    std::uint64_t use_count = 0;
    /// Segments, or growths of expandable segments, not yet given back.
    std::uint64_t device_allocations = 0;
    bool use_on_oom = false;
};

/// A range of address space that an expandable segment grows in.
struct Reservation {
    Address base;
    Bytes size;
    /// Memory is mapped in whole pages of this size, counted from the base.
    Bytes page;
};

/// One stream named by record_stream, and whether that happened while a routing was active.
struct Use {
    StreamId stream{};
    bool under_routing = false;
};
using UseSet = std::vector<Use>;

struct QueuedEvent {
    EventId event{};
    BlockId block{};
};

struct StreamState {
    StreamHandle handle{};
    /// Events that freed blocks wait for, oldest first.
    std::deque<QueuedEvent> events;
};

/// A block that was freed while a routing was active, with uses. No markers: it waits until no
/// routing is active.
struct ParkedBlock {
    BlockId block{};
    std::vector<NodeId> markers;
};

/// Sends the allocations of a capture's streams, or of one thread, to a private pool.
struct Routing {
    PoolId pool;
    std::variant<CaptureId, ThreadId> filter;
};

struct State {
    State(AllocatorSettings initial, Bytes total_memory, Ports to);

    AllocatorSettings settings;
    Bytes total_memory;
    /// What the memory fraction allows, if it is below 1.
    std::optional<Bytes> limit;
    Ports ports;
    /// Null while nobody listens.
    TraceSink* trace = nullptr;
    /// Null for the order in which blocks came to wait.
    const VisitOrder* visit_order = nullptr;

    Counters counters;
    /// Bytes obtained from the device.
    Bytes total_allocated;
    BlockArena blocks;
    std::vector<BlockPool> pools;
    std::vector<PoolStream> pool_streams;
    /// The default pools first, then private pools as they were made.
    std::vector<PoolUsage> usages;
    /// Ordered by id; PyTorch visits them in hash order, which changes no figure.
    std::map<PoolId, PrivatePool> private_pools;
    std::vector<Reservation> reservations;

    std::vector<StreamState> streams;
    /// Events in all the streams' queues.
    std::size_t queued_events = 0;
    std::vector<UseSet> use_sets;
    std::vector<UseSetId> vacant_use_sets;
    std::vector<ParkedBlock> parked;
    /// Newest last.
    std::vector<Routing> routings;
};

}  // namespace highwater::allocator
