#include "sim/engine/timed_memory.hpp"

namespace highwater {

void TimedMemory::tell(DeviceCall::Kind kind, Bytes size, bool succeeded, Instant begin) {
    if (listener_ != nullptr) {
        listener_->device_call({kind, size, succeeded, {begin, timeline_.now()}});
    }
}

std::optional<Address> TimedMemory::allocate(Bytes size) {
    const Instant begin = timeline_.now();
    timeline_.spend(times_.device_malloc(size.count));
    const std::optional<Address> address = memory_.allocate(size);
    tell(DeviceCall::Kind::kMalloc, size, address.has_value(), begin);
    return address;
}

void TimedMemory::free(Address address, Bytes size) {
    const Instant begin = timeline_.now();
    timeline_.wait_for_card();
    timeline_.spend(times_.device_free(size.count));
    memory_.free(address, size);
    tell(DeviceCall::Kind::kFree, size, true, begin);
}

bool TimedMemory::map(Address address, Bytes size) {
    const Instant begin = timeline_.now();
    timeline_.spend(times_.map(size.count));
    const bool is_mapped = memory_.map(address, size);
    tell(DeviceCall::Kind::kMap, size, is_mapped, begin);
    return is_mapped;
}

void TimedMemory::unmap(Address address, Bytes size) {
    const Instant begin = timeline_.now();
    timeline_.wait_for_card();
    timeline_.spend(times_.unmap(size.count));
    memory_.unmap(address, size);
    tell(DeviceCall::Kind::kUnmap, size, true, begin);
}

}  // namespace highwater
