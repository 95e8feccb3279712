#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/allocator/ascending_memory.hpp"
#include "sim/allocator/async/async_allocator.hpp"
#include "sim/allocator/async/stream_clocks.hpp"
#include "sim/capture/captures.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

/// Streams whose work is done when the test says so.
class ManualOrder : public StreamOrder {
  public:
    /// Whether work is done as soon as it is put into its stream.
    bool is_idle = true;

    void complete_all();
    /// How often a stream was made to wait.
    int waits() const { return waits_; }

    EventId record(StreamId stream) override;
    bool completed(EventId event) override { return done_.at(index_of(event)); }
    void synchronize(EventId) override { complete_all(); }
    bool is_behind(StreamId stream, EventId point) const override {
        return clocks_.is_behind(stream, point);
    }
    void wait(StreamId stream, EventId point) override;
    void synchronize_device() override { complete_all(); }

  private:
    StreamClocks clocks_;
    /// By event.
    std::vector<bool> done_;
    int waits_ = 0;
};

/// Captures whose nodes are allocations, frees and what the test launches.
class RecordedCaptures : public CaptureRecorder {
  public:
    Captures captures;
    /// Whether the mode of a capture under way forbids unsafe calls.
    bool forbids_unsafe_calls = false;

    void require_unsafe_calls() override;
    NodeId add_allocation(StreamId stream) override { return add(stream, NodeKind::kMemAlloc); }
    NodeId add_free(StreamId stream) override { return add(stream, NodeKind::kMemFree); }
    void join(StreamId waiting, StreamId waited_for) override;
    std::optional<CaptureId> capture_of(StreamId stream) const override;
    std::vector<NodeId> terminals(StreamId stream) const override;
    bool all_reached(const std::vector<NodeId>& nodes, StreamId stream) const override;

  private:
    NodeId add(StreamId stream, NodeKind kind);
};

/// A process that PyTorch runs in with the backend cudaMallocAsync.
class AsyncProcess {
  public:
    static constexpr StreamId kSide{1};
    static constexpr StreamId kOther{2};
    static constexpr StreamId kUnifying{3};
    static constexpr Bytes kCard{std::uint64_t{80} << 30U};

    explicit AsyncProcess(Bytes card = kCard);

    /// A block that must be had.
    Allocated malloc(Bytes size, StreamId stream = kDefaultStream);
    bool runs_out(Bytes size, StreamId stream = kDefaultStream);
    void free(const Allocated& allocated) { allocator.free(allocated.block); }
    /// stream.wait_stream(other).
    void wait_stream(StreamId waiting, StreamId waited_for);
    void synchronize();
    void begin_capture(CaptureId capture, StreamId origin);
    void end_capture(StreamId origin);

    std::uint64_t allocated() const { return allocator.stats().allocated_bytes.all.current; }
    std::uint64_t reserved() const { return allocator.stats().reserved_bytes.all.current; }

    AscendingMemory memory;
    ManualOrder order;
    RecordedCaptures captures;
    AsyncAllocator allocator;
};

}  // namespace highwater
