#pragma once

#include <deque>
#include <map>
#include <optional>

#include "sim/allocator/ports.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// A device for what-ifs: it hands the addresses of the recording out in their order, to segments
/// of the same size, so that a history that stays the same meets the same addresses; other segments
/// get addresses above all of them, ascending. The order of addresses only decides between free
/// blocks of one size (allocator specification 10).
class PredictedMemory : public DeviceMemory {
  public:
    /// No capacity: it never runs out.
    PredictedMemory(const Snapshot& snapshot,
                    const History& history,
                    std::optional<Bytes> capacity);

    /// The start of the history is there as it was; else it is built anew.
    void hold_start(const History& history);

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
    Address next_;
};

}  // namespace highwater
