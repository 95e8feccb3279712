#pragma once

#include <deque>
#include <map>
#include <optional>

#include "sim/allocator/ports.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// A device for what-ifs: it hands the addresses of the recording out in their order, to segments
/// of the same size, so that a history that stays the same meets the same addresses; other segments
/// get addresses below all of them, descending, as the driver's mostly do. The order of addresses
/// only decides between free blocks of one size (allocator specification 10).
class PredictedMemory : public DeviceMemory {
  public:
    /// No capacity: it never runs out.
    PredictedMemory(const Snapshot& snapshot,
                    const History& history,
                    std::optional<Bytes> capacity);

    /// This range of the start is there as it was; those that are not held are built anew.
    void hold(const StartRange& range, const Region& region);

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override;
    std::optional<Address> reserve(Bytes size) override;
    void release(Address, Bytes) override {}
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override;
    Bytes free_bytes() const override;

  private:
    bool take(Bytes size);
    bool is_vacant(Address address, Bytes size) const;
    Address fresh(Bytes size);

    std::optional<Bytes> capacity_;
    Bytes used_;
    std::map<Bytes, std::deque<Address>> recorded_;
    std::deque<Address> reservations_;
    std::map<Address, Bytes> held_;
    Address next_segment_;
    Address next_reservation_;
};

}  // namespace highwater
