#pragma once

#include <optional>

#include "sim/allocator/ports.hpp"
#include "sim/capture/captures.hpp"

namespace highwater {

/// Device memory as CUDA gives it while captures are under way: what they forbid throws
/// `PredictedError` and breaks them. Mapping pages, as expandable segments do, is always allowed.
class GuardedMemory : public DeviceMemory {
  public:
    /// Both outlive it.
    GuardedMemory(DeviceMemory& memory, Captures& captures)
        : memory_(memory), captures_(captures) {}

    /// What follows is for an allocation on that stream. If it is capturing, PyTorch's allocator
    /// puts its thread into relaxed mode around cudaMalloc, not around cudaFree.
    void ask_for(StreamId stream) { stream_ = stream; }

    std::optional<Address> allocate(Bytes size) override;
    void require_freeable() override { captures_.call(CudaCall::kFree); }
    void free(Address address, Bytes size) override;
    std::optional<Address> reserve(Bytes size) override;
    void release(Address address, Bytes size) override;
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override;
    Bytes free_bytes() const override { return memory_.free_bytes(); }

  private:
    DeviceMemory& memory_;
    Captures& captures_;
    StreamId stream_ = kDefaultStream;
};

}  // namespace highwater
