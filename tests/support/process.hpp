#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sim/allocator/allocator.hpp"
#include "sim/allocator/ascending_memory.hpp"
#include "tests/support/event_log.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

/// Events that complete when the test says so.
class ManualEvents : public EventSource {
  public:
    /// Whether events are complete as soon as they are recorded.
    bool idle = true;

    void complete_all() { completed_.insert(recorded_.begin(), recorded_.end()); }
    std::size_t recorded() const { return recorded_.size(); }

    EventId record(StreamId) override;
    bool completed(EventId event) override { return completed_.contains(event); }
    void synchronize(EventId event) override { completed_.insert(event); }

  private:
    std::vector<EventId> recorded_;
    std::set<EventId> completed_;
};

/// Captures as the test says: which stream is part of which, where each stands, and what it has
/// behind it.
class ScriptedCaptures : public CaptureSource {
  public:
    std::map<StreamId, CaptureId> members;
    std::map<StreamId, std::vector<NodeId>> ends;
    std::map<StreamId, std::set<NodeId>> reached;

    std::optional<CaptureId> capture_of(StreamId stream) const override;
    std::vector<NodeId> terminals(StreamId stream) const override;
    bool all_reached(const std::vector<NodeId>& nodes, StreamId stream) const override;
};

/// A process with one allocator, audited after every operation.
class Process {
  public:
    static constexpr Bytes kCard{std::uint64_t{80} << 30U};

    explicit Process(std::string_view conf = "", Bytes card = kCard);

    /// A block that must be had.
    BlockId malloc(Bytes size, StreamId stream = kDefaultStream);
    /// A block if there is memory for it.
    std::optional<BlockId> try_malloc(Bytes size, StreamId stream = kDefaultStream);
    void free(BlockId block);
    void record_stream(BlockId block, StreamId stream);
    void empty_cache();
    /// A capture of these streams into the pool begins.
    void begin_capture(PoolId pool, const std::vector<StreamId>& streams);
    void end_capture(PoolId pool);

    Address address(BlockId block) const { return allocator.block(block).address; }
    MemoryStats stats() const { return allocator.stats(); }
    std::uint64_t reserved() const { return stats().reserved_bytes.all.current; }
    /// Sizes of the free blocks, by address.
    std::vector<Bytes> free_sizes() const;
    void audit() const;

    AscendingMemory memory;
    ManualEvents events;
    ScriptedCaptures captures;
    EventLog log;
    Allocator allocator;
    StreamId side;
    StreamId other;
};

}  // namespace highwater
