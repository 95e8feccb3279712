#pragma once

#include <cstddef>
#include <vector>

#include "sim/allocator/ports.hpp"
#include "sim/allocator/trace_event.hpp"

namespace highwater {

/// Hands out the addresses of a recorded run: those of its segment_alloc and segment_map events, in
/// order. A run that asks for something else than was recorded gets addresses that occur nowhere in
/// the recording, so that a comparison of events shows where it departs. Never runs out of memory.
class RecordedMemory : public DeviceMemory {
  public:
    /// Other kinds of event are passed over.
    explicit RecordedMemory(const std::vector<TraceEvent>& trace);

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override;
    /// The address of the first map to come: a reservation is mapped from its start.
    std::optional<Address> reserve(Bytes size) override;
    void release(Address address, Bytes size) override;
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override;
    Bytes free_bytes() const override { return Bytes{0}; }

  private:
    Address unrecorded(Bytes size);

    std::vector<TraceEvent> gains_;
    std::size_t next_ = 0;
    /// Above all addresses that a recording can have.
    static constexpr Address kUnrecorded{0x1000'0000'0000'0000};
    Address next_unrecorded_ = kUnrecorded;
};

}  // namespace highwater
