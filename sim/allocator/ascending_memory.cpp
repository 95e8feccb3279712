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
    const std::optional<Address> given = reserve(size);
    free_ += given ? Bytes{0} : size;
    return given;
}

void AscendingMemory::free(Address, Bytes size) {
    free_ += size;
}

std::optional<Address> AscendingMemory::reserve(Bytes size) {
    constexpr std::uint64_t kEnd = std::uint64_t{1} << 62U;
    if (size.count > kEnd - next_.value) {
        return std::nullopt;
    }
    const Address given = next_;
    next_ = align_up(next_ + size, 2_MiB);
    return given;
}

void AscendingMemory::release(Address address, Bytes size) {
    // What was reserved last can be reserved again, so that long programs do not run out.
    if (align_up(address + size, 2_MiB) == next_) {
        next_ = address;
    }
}

bool AscendingMemory::map(Address, Bytes size) {
    return take(size);
}

void AscendingMemory::unmap(Address, Bytes size) {
    free_ += size;
}

}  // namespace highwater
