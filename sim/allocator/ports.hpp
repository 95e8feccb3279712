#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// Where segment addresses come from, and how much the device has. Sizes are whole segments or
/// whole pages.
class DeviceMemory {
  public:
    virtual ~DeviceMemory() = default;

    /// cudaMalloc: no value if the device is out of memory.
    virtual std::optional<Address> allocate(Bytes size) = 0;
    /// Throws what `free` would, and does nothing else: for what comes before it.
    virtual void require_freeable() {}
    /// cudaFree of a whole allocation.
    virtual void free(Address address, Bytes size) = 0;
    /// Address space for an expandable segment (cuMemAddressReserve): takes no memory; no value if
    /// there is none left.
    virtual std::optional<Address> reserve(Bytes size) = 0;
    virtual void release(Address address, Bytes size) = 0;
    /// Backs part of a reservation with memory; false if the device is out of memory.
    virtual bool map(Address address, Bytes size) = 0;
    virtual void unmap(Address address, Bytes size) = 0;
    /// What cudaMemGetInfo calls free.
    virtual Bytes free_bytes() const = 0;
};

/// Whether GPU work has got past a point in a stream.
class EventSource {
  public:
    virtual ~EventSource() = default;

    /// cudaEventRecord on the stream.
    virtual EventId record(StreamId stream) = 0;
    /// cudaEventQuery.
    virtual bool completed(EventId event) = 0;
    /// cudaEventSynchronize: from now on the event has completed.
    virtual void synchronize(EventId event) = 0;
};

/// Which streams are being captured, and what their next operation would depend on. The rules of
/// captures need it; who builds the graph is not the allocator's business.
class CaptureSource {
  public:
    virtual ~CaptureSource() = default;

    /// The active capture the stream is part of (cudaStreamGetCaptureInfo), if any.
    virtual std::optional<CaptureId> capture_of(StreamId stream) const = 0;
    /// The nodes the stream's next captured operation would depend on.
    virtual std::vector<NodeId> terminals(StreamId stream) const = 0;
    /// True if each node is among the stream's terminals or an ancestor of one of them.
    virtual bool all_reached(const std::vector<NodeId>& nodes, StreamId stream) const = 0;
};

/// In which order the blocks that wait are visited when several may become free at once. PyTorch's
/// is that of hash tables: it decides how blocks merge, so what a free block served last and the
/// cumulative counters of split blocks depend on it, but no current figure (allocator
/// specification 10).
class VisitOrder {
  public:
    virtual ~VisitOrder() = default;
    /// Blocks of lower rank are visited first, those of equal rank as they came.
    virtual std::uint64_t rank(Address block) const = 0;
};

/// All of an allocator's ports. They outlive it.
struct Ports {
    DeviceMemory& device;
    EventSource& events;
    CaptureSource& captures;
};

}  // namespace highwater
