#include "sim/allocator/recorded_memory.hpp"

#include <algorithm>
#include <iterator>

namespace highwater {

using Kind = TraceEvent::Kind;

RecordedMemory::RecordedMemory(const std::vector<TraceEvent>& trace) {
    std::ranges::copy_if(trace, std::back_inserter(gains_), [](const TraceEvent& event) {
        return event.kind == Kind::kSegmentAlloc || event.kind == Kind::kSegmentMap;
    });
}

Address RecordedMemory::unrecorded(Bytes size) {
    constexpr Bytes kFarApart{std::uint64_t{1} << 40U};
    const Address given = next_unrecorded_;
    next_unrecorded_ = next_unrecorded_ + std::min(size, kFarApart);
    return given;
}

std::optional<Address> RecordedMemory::allocate(Bytes size) {
    if (next_ < gains_.size() && gains_[next_].kind == Kind::kSegmentAlloc) {
        return gains_[next_++].address;
    }
    return unrecorded(size);
}

void RecordedMemory::free(Address, Bytes) {}

std::optional<Address> RecordedMemory::reserve(Bytes size) {
    if (next_ < gains_.size() && gains_[next_].kind == Kind::kSegmentMap) {
        return gains_[next_].address;
    }
    return unrecorded(size);
}

void RecordedMemory::release(Address, Bytes) {}

bool RecordedMemory::map(Address, Bytes) {
    if (next_ < gains_.size() && gains_[next_].kind == Kind::kSegmentMap) {
        ++next_;
    }
    return true;
}

void RecordedMemory::unmap(Address, Bytes) {}

}  // namespace highwater
