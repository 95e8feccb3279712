#include "sim/allocator/roundup_divisions.hpp"

#include "sim/core/check.hpp"

namespace highwater {

void RoundupDivisions::set(std::size_t slot, std::uint64_t divisions) {
    fill(slot, slot + 1, divisions);
}

void RoundupDivisions::fill(std::size_t first, std::size_t last, std::uint64_t divisions) {
    check(last <= kSlots, "a slot of the roundup divisions exists");
    for (std::size_t slot = first; slot < last; ++slot) {
        slots_[slot] = divisions;
    }
    any_ = std::any_of(slots_.begin(), slots_.end(), [](std::uint64_t d) { return d > 1; });
}

}  // namespace highwater
