#pragma once

#include <deque>
#include <map>
#include <vector>

#include <cuda.h>

#include "gpu/card/cuda_card.hpp"
#include "gpu/card/raw_graphs.hpp"
#include "sim/allocator/ports.hpp"

namespace highwater::gpu {

/// Segments from cudaMalloc, and pages of expandable ones from the driver. Calls throw
/// `RefusedError`.
class RealMemory final : public DeviceMemory {
  public:
    explicit RealMemory(CudaCard& card);

    /// Whose stream is current: where it is capturing, cudaMalloc is called in relaxed mode, as
    /// PyTorch does.
    void ask_for(StreamId stream) { current_ = stream; }

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override;
    std::optional<Address> reserve(Bytes size) override;
    void release(Address address, Bytes size) override;
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override;
    Bytes free_bytes() const override { return card_.free_bytes(); }

  private:
    CudaCard& card_;
    StreamId current_{};
    /// One a page.
    std::map<Address, CUmemGenericAllocationHandle> pages_;
};

/// cudaEvents.
class RealEvents final : public EventSource {
  public:
    explicit RealEvents(CudaCard& card) : card_(card) {}
    EventId record(StreamId stream) override;
    bool completed(EventId event) override;
    void synchronize(EventId event) override;

  private:
    CudaCard& card_;
    std::vector<cudaEvent_t> events_;
};

/// The driver's captures.
class RealCaptures final : public CaptureSource {
  public:
    explicit RealCaptures(CudaCard& card) : card_(card) {}
    void began(CaptureId capture, unsigned long long number) { numbers_.emplace(number, capture); }

    std::optional<CaptureId> capture_of(StreamId stream) const override;
    std::vector<NodeId> terminals(StreamId stream) const override;
    bool all_reached(const std::vector<NodeId>& nodes, StreamId stream) const override;

  private:
    NodeId id_of(cudaGraphNode_t node) const;

    CudaCard& card_;
    std::map<unsigned long long, CaptureId> numbers_;
    mutable std::map<cudaGraphNode_t, NodeId> nodes_;
};

}  // namespace highwater::gpu
