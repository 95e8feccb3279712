#pragma once

#include <compare>
#include <cstdint>

#include "sim/core/bytes.hpp"

namespace highwater {

/// A place in the device's address space. Null is never handed out for a block.
struct Address {
    std::uint64_t value = 0;

    friend constexpr auto operator<=>(Address, Address) = default;

    friend constexpr Address operator+(Address base, Bytes offset) {
        check_in_debug(base.value + offset.count >= base.value, "an address stays below 2^64");
        return {base.value + offset.count};
    }
    friend constexpr Bytes operator-(Address end, Address begin) {
        check_in_debug(end.value >= begin.value, "an address range does not end before it begins");
        return {end.value - begin.value};
    }
};

/// The first multiple of `step` at or after `address`.
constexpr Address align_up(Address address, Bytes step) {
    return {round_up(Bytes{address.value}, step).count};
}

/// The last multiple of `step` at or before `address`.
constexpr Address align_down(Address address, Bytes step) {
    return {round_down(Bytes{address.value}, step).count};
}

}  // namespace highwater
