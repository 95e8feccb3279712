#pragma once

#include <cstdint>
#include <optional>

#include "sim/allocator/ports.hpp"
#include "sim/driver/time_profile.hpp"
#include "sim/timeline/timeline.hpp"

namespace highwater {

/// A call of the driver for memory, and when the host was in it.
struct DeviceCall {
    enum class Kind : std::uint8_t { kMalloc, kFree, kMap, kUnmap };
    Kind kind{};
    Bytes size;
    /// False if the device was out of memory.
    bool succeeded = true;
    Span span;
};

class DeviceCallListener {
  public:
    virtual ~DeviceCallListener() = default;
    virtual void device_call(const DeviceCall& call) = 0;
};

/// Device memory whose calls take the host's time. cudaFree and unmapping also wait for the card.
class TimedMemory : public DeviceMemory {
  public:
    /// All outlive it.
    TimedMemory(DeviceMemory& memory, const HostTimes& times, Timeline& timeline)
        : memory_(memory), times_(times), timeline_(timeline) {}

    /// Null for none. It outlives its use here.
    void set_listener(DeviceCallListener* listener) { listener_ = listener; }

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override;
    std::optional<Address> reserve(Bytes size) override { return memory_.reserve(size); }
    void release(Address address, Bytes size) override { memory_.release(address, size); }
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override;
    Bytes free_bytes() const override { return memory_.free_bytes(); }

  private:
    void tell(DeviceCall::Kind kind, Bytes size, bool succeeded, Instant begin);

    DeviceMemory& memory_;
    const HostTimes& times_;
    Timeline& timeline_;
    DeviceCallListener* listener_ = nullptr;
};

}  // namespace highwater
