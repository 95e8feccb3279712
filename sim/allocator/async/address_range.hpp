#pragma once

#include <optional>

#include "sim/allocator/async/pool_profile.hpp"
#include "sim/allocator/ports.hpp"
#include "sim/core/address.hpp"

namespace highwater {

/// Where the next addresses of a pool or a graph come from: address space that takes no memory, and
/// follows on itself for as long as it lasts.
class AddressRange {
  public:
    /// The device outlives it.
    AddressRange(const PoolProfile& profile, DeviceMemory& device)
        : profile_(&profile), device_(&device) {}

    /// The first page of `size` bytes at or after `end`, if the range has them, or else of a range
    /// of its own. No value if the device has no address space.
    std::optional<Address> follow(Address end, Bytes size);

  private:
    const PoolProfile* profile_;
    DeviceMemory* device_;
    Address begin_;
    Address end_;
};

}  // namespace highwater
