#include "sim/engine/timed_memory.hpp"

namespace highwater {

std::optional<Address> TimedMemory::allocate(Bytes size) {
    timeline_.spend(times_.device_malloc(size.count));
    return memory_.allocate(size);
}

void TimedMemory::free(Address address, Bytes size) {
    timeline_.wait_for_card();
    timeline_.spend(times_.device_free(size.count));
    memory_.free(address, size);
}

bool TimedMemory::map(Address address, Bytes size) {
    timeline_.spend(times_.map(size.count));
    return memory_.map(address, size);
}

void TimedMemory::unmap(Address address, Bytes size) {
    timeline_.wait_for_card();
    timeline_.spend(times_.unmap(size.count));
    memory_.unmap(address, size);
}

}  // namespace highwater
