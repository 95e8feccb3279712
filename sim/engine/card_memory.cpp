#include "sim/engine/card_memory.hpp"

namespace highwater {

// Where the driver holds nothing it is the memory that decides: one that is recorded knows no size.
bool CardMemory::leaves(Bytes size) const {
    const Bytes held = driver_.total_beside_nodes();
    return held == Bytes{} || size <= beyond(memory_.free_bytes(), held);
}

std::optional<Address> CardMemory::allocate(Bytes size) {
    return leaves(size) ? memory_.allocate(size) : std::nullopt;
}

bool CardMemory::map(Address address, Bytes size) {
    return leaves(size) && memory_.map(address, size);
}

}  // namespace highwater
