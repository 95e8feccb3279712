#pragma once

#include <optional>

#include "sim/allocator/ports.hpp"
#include "sim/driver/time_profile.hpp"
#include "sim/timeline/timeline.hpp"

namespace highwater {

/// Device memory whose calls take the host's time. cudaFree and unmapping also wait for the card.
class TimedMemory : public DeviceMemory {
  public:
    /// All outlive it.
    TimedMemory(DeviceMemory& memory, const HostTimes& times, Timeline& timeline)
        : memory_(memory), times_(times), timeline_(timeline) {}

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override;
    std::optional<Address> reserve(Bytes size) override { return memory_.reserve(size); }
    void release(Address address, Bytes size) override { memory_.release(address, size); }
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override;
    Bytes free_bytes() const override { return memory_.free_bytes(); }

  private:
    DeviceMemory& memory_;
    const HostTimes& times_;
    Timeline& timeline_;
};

}  // namespace highwater
