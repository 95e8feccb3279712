#include "sim/engine/guarded_memory.hpp"

namespace highwater {

std::optional<Address> GuardedMemory::allocate(Bytes size) {
    if (!captures_.capture_of(stream_)) {
        captures_.call(CudaCall::kMalloc);
    }
    return memory_.allocate(size);
}

void GuardedMemory::free(Address address, Bytes size) {
    require_freeable();
    memory_.free(address, size);
}

std::optional<Address> GuardedMemory::reserve(Bytes size) {
    captures_.call(CudaCall::kMapMemory);
    return memory_.reserve(size);
}

void GuardedMemory::release(Address address, Bytes size) {
    captures_.call(CudaCall::kMapMemory);
    memory_.release(address, size);
}

bool GuardedMemory::map(Address address, Bytes size) {
    captures_.call(CudaCall::kMapMemory);
    return memory_.map(address, size);
}

void GuardedMemory::unmap(Address address, Bytes size) {
    captures_.call(CudaCall::kMapMemory);
    memory_.unmap(address, size);
}

}  // namespace highwater
