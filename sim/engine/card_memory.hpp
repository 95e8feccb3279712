#pragma once

#include <optional>

#include "sim/allocator/ports.hpp"
#include "sim/driver/driver_memory.hpp"

namespace highwater {

/// Device memory of which the driver holds a part for other purposes: what it holds is not to be
/// had.
class CardMemory : public DeviceMemory {
  public:
    /// Both outlive it.
    CardMemory(DeviceMemory& memory, const DriverMemory& driver)
        : memory_(memory), driver_(driver) {}

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override { memory_.free(address, size); }
    std::optional<Address> reserve(Bytes size) override { return memory_.reserve(size); }
    void release(Address address, Bytes size) override { memory_.release(address, size); }
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override { memory_.unmap(address, size); }
    Bytes free_bytes() const override {
        return beyond(memory_.free_bytes(), driver_.total_beside_nodes());
    }

  private:
    bool leaves(Bytes size) const;

    DeviceMemory& memory_;
    const DriverMemory& driver_;
};

}  // namespace highwater
