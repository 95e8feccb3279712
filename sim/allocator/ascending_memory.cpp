#include "sim/allocator/ascending_memory.hpp"

namespace highwater {

using namespace literals;

bool AscendingMemory::take(Bytes size) {
    if (size > free_) {
        return false;
    }
    free_ -= size;
    return true;
}

std::optional<Address> AscendingMemory::allocate(Bytes size) {
    if (!take(size)) {
        return std::nullopt;
    }
    return reserve(size);
}

void AscendingMemory::free(Address, Bytes size) {
    free_ += size;
}

Address AscendingMemory::reserve(Bytes size) {
    const Address given = next_;
    next_ = align_up(next_ + size, 2_MiB);
    return given;
}

void AscendingMemory::release(Address, Bytes) {}

bool AscendingMemory::map(Address, Bytes size) {
    return take(size);
}

void AscendingMemory::unmap(Address, Bytes size) {
    free_ += size;
}

}  // namespace highwater
