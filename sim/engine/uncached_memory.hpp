#pragma once

#include <cstdint>
#include <map>

#include "sim/allocator/malloc_result.hpp"
#include "sim/allocator/ports.hpp"
#include "sim/capture/captures.hpp"

namespace highwater {

/// Memory under PYTORCH_NO_CUDA_MEMORY_CACHING=1: each allocation is a cudaMalloc, each free a
/// cudaFree. PyTorch counts none of it, and neither pools nor record_stream have a say.
class UncachedMemory {
  public:
    /// All outlive it. `total` is the card's.
    UncachedMemory(DeviceMemory& memory, Captures& captures, Bytes total)
        : memory_(memory), captures_(captures), total_(total) {}

    /// Throws `PredictedError` in a capture that forbids cudaMalloc.
    MallocResult malloc(Bytes requested);
    /// The same for cudaFree: an error that PyTorch does not survive.
    void free(BlockId block);

  private:
    struct Allocation {
        Address address;
        Bytes size;
    };

    DeviceMemory& memory_;
    Captures& captures_;
    Bytes total_;
    std::map<BlockId, Allocation> allocations_;
    std::uint32_t next_ = 0;
};

}  // namespace highwater
