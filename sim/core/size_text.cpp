#include "sim/core/size_text.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace highwater {
namespace {

constexpr std::array<std::string_view, 7> kSizeUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr unsigned kShift = 10;
constexpr std::uint64_t kTenths = 10;
constexpr std::uint64_t kTenthsOfNextUnit = kTenths << kShift;
constexpr std::size_t kGroup = 3;

// In two parts, because ten times a large size is more than 64 bits hold.
std::uint64_t tenths_of(std::uint64_t bytes, unsigned shift) {
    const std::uint64_t rest = bytes & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    return (bytes >> shift) * kTenths + ((rest * kTenths + half) >> shift);
}

std::uint64_t magnitude(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return number < 0 ? ~bits + 1 : bits;
}

}  // namespace

std::string size_text(Bytes size) {
    if (size.count >> kShift == 0) {
        return fmt::format("{} B", size.count);
    }
    std::size_t unit = 1;
    std::uint64_t tenths = tenths_of(size.count, kShift);
    // 1,048,575 bytes are not "1024.0 KiB" but "1.0 MiB".
    while (tenths >= kTenthsOfNextUnit) {
        ++unit;
        tenths = tenths_of(size.count, kShift * static_cast<unsigned>(unit));
    }
    return fmt::format("{}.{} {}", tenths / kTenths, tenths % kTenths, kSizeUnits[unit]);
}

std::string size_text(std::int64_t difference) {
    return (difference < 0 ? "-" : "") + size_text(Bytes{magnitude(difference)});
}

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > kGroup;) {
        at -= kGroup;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string grouped(std::int64_t number) {
    return (number < 0 ? "-" : "") + grouped(magnitude(number));
}

}  // namespace highwater
