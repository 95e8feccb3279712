#include "sim/snapshot/predicted_memory.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;

// Above all addresses of a device: segments down from it, reservations up.
constexpr Address kAbove{std::uint64_t{1} << 56U};
// Far enough from 0 to go down from.
constexpr Address kLeast{std::uint64_t{1} << 44U};

}  // namespace

PredictedMemory::PredictedMemory(const Snapshot& snapshot,
                                 const History& history,
                                 std::optional<Bytes> capacity)
    : capacity_(capacity), next_segment_(kAbove), next_reservation_(kAbove) {
    std::set<RegionId> reserved;
    for (const StartRange& range : history.start) {
        const Region& region = history.regions[index_of(range.region)];
        if (!region.is_expandable) {
            recorded_[range.size].push_back(range.address);
        } else if (reserved.insert(range.region).second) {
            reservations_.push_back(region.begin);
        }
    }
    for (std::size_t i = history.first_event; i < snapshot.events.size(); ++i) {
        const SnapshotEvent& event = snapshot.events[i];
        if (event.action == Action::kSegmentAlloc) {
            recorded_[event.size].push_back(event.address);
        } else if (event.action == Action::kSegmentMap &&
                   reserved.insert(history.region_of(i)).second) {
            reservations_.push_back(event.address);
        }
    }
    for (const auto& [size, addresses] : recorded_) {
        const Address lowest = *std::ranges::min_element(addresses);
        next_segment_ = lowest >= kLeast ? std::min(next_segment_, lowest) : next_segment_;
    }
}

void PredictedMemory::hold(const StartRange& range, const Region& region) {
    used_ += range.size;
    if (region.is_expandable) {
        std::erase(reservations_, region.begin);
    } else {
        std::erase(recorded_[range.size], range.address);
        held_[range.address] = range.size;
    }
}

bool PredictedMemory::take(Bytes size) {
    if (capacity_ && size > *capacity_ - std::min(*capacity_, used_)) {
        return false;
    }
    used_ += size;
    return true;
}

bool PredictedMemory::is_vacant(Address address, Bytes size) const {
    const auto behind = held_.lower_bound(address + size);
    if (behind == held_.begin()) {
        return true;
    }
    const auto& [begin, held] = *std::prev(behind);
    return begin + held <= address;
}

Address PredictedMemory::fresh(Bytes size) {
    constexpr Bytes kStep{std::uint64_t{2} << 20U};
    constexpr Bytes kFarApart{std::uint64_t{1} << 41U};
    const Bytes step = round_up(std::min(size, kFarApart), kStep);
    next_segment_ = {next_segment_.value - std::min(step.count, next_segment_.value - 1)};
    return next_segment_;
}

std::optional<Address> PredictedMemory::allocate(Bytes size) {
    if (!take(size)) {
        return std::nullopt;
    }
    std::deque<Address>& recorded = recorded_[size];
    Address address;
    if (!recorded.empty() && is_vacant(recorded.front(), size)) {
        address = recorded.front();
        recorded.pop_front();
    } else {
        address = fresh(size);
    }
    held_[address] = size;
    return address;
}

void PredictedMemory::free(Address address, Bytes size) {
    held_.erase(address);
    used_ -= size;
}

std::optional<Address> PredictedMemory::reserve(Bytes size) {
    if (reservations_.empty()) {
        const Address address = next_reservation_;
        next_reservation_ = next_reservation_ + size;
        return address;
    }
    const Address address = reservations_.front();
    reservations_.pop_front();
    return address;
}

bool PredictedMemory::map(Address, Bytes size) {
    return take(size);
}

void PredictedMemory::unmap(Address, Bytes size) {
    used_ -= size;
}

Bytes PredictedMemory::free_bytes() const {
    return capacity_ ? *capacity_ - std::min(*capacity_, used_) : Bytes{0};
}

}  // namespace highwater
