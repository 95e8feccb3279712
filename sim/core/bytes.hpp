#pragma once

#include <compare>
#include <cstdint>

#include "sim/core/check.hpp"

namespace highwater {

/// A number of bytes. Sums and products that overflow, and differences below zero, are broken
/// invariants, found in debug builds: sizes from outside are bounded where they enter.
struct Bytes {
    std::uint64_t count = 0;

    friend constexpr auto operator<=>(Bytes, Bytes) = default;

    constexpr Bytes& operator+=(Bytes other) {
        count += other.count;
        check_in_debug(count >= other.count, "a sum of sizes stays below 2^64 bytes");
        return *this;
    }
    constexpr Bytes& operator-=(Bytes other) {
        check_in_debug(count >= other.count, "a difference of sizes is not negative");
        count -= other.count;
        return *this;
    }
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return a += b; }
    friend constexpr Bytes operator-(Bytes a, Bytes b) { return a -= b; }
    friend constexpr Bytes operator*(Bytes size, std::uint64_t times) {
        check_in_debug(times == 0 || size.count <= UINT64_MAX / times,
                       "a product of sizes stays below 2^64 bytes");
        return {size.count * times};
    }
    friend constexpr std::uint64_t operator/(Bytes a, Bytes b) { return a.count / b.count; }
    friend constexpr Bytes operator%(Bytes a, Bytes b) { return {a.count % b.count}; }
};

/// The smallest multiple of `step` that is not below `size`. `step` is not zero.
constexpr Bytes round_up(Bytes size, Bytes step) {
    return step * ((size.count / step.count) + (size.count % step.count != 0 ? 1 : 0));
}

/// The largest multiple of `step` that is not above `size`. `step` is not zero.
constexpr Bytes round_down(Bytes size, Bytes step) {
    return size - size % step;
}

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) {
    return {n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
    return Bytes{1ULL << 10} * n;
}
constexpr Bytes operator""_MiB(unsigned long long n) {
    return Bytes{1ULL << 20} * n;
}
constexpr Bytes operator""_GiB(unsigned long long n) {
    return Bytes{1ULL << 30} * n;
}
}  // namespace literals

}  // namespace highwater
