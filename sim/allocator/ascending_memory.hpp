#pragma once

#include "sim/allocator/ports.hpp"

namespace highwater {

/// A device of a given size whose addresses only rise, in steps of 2 MiB: memory never comes back
/// at an address it was freed from; a released reservation may. Counts memory, not fragmentation of
/// it: CUDA maps pages, so free memory is usable wherever it lies.
class AscendingMemory : public DeviceMemory {
  public:
    explicit AscendingMemory(Bytes capacity) : free_(capacity) {}

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override;
    std::optional<Address> reserve(Bytes size) override;
    void release(Address address, Bytes size) override;
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override;
    Bytes free_bytes() const override { return free_; }

  private:
    bool take(Bytes size);

    Bytes free_;
    Address next_{std::uint64_t{1} << 40U};
};

}  // namespace highwater
