#include "sim/report/time_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace highwater {
namespace {

constexpr std::array<std::string_view, 4> kTimeUnits{"ns", "us", "ms", "s"};
constexpr std::uint64_t kStep = 1'000;
constexpr std::uint64_t kTen = 10;
constexpr std::uint64_t kHundred = 100;

std::uint64_t rounded(std::uint64_t number, std::uint64_t unit) {
    return number / unit + (number % unit * 2 >= unit ? 1 : 0);
}

// In as many decimals as make three digits. Nothing if it rounds to the next unit.
std::string in_unit(std::uint64_t nanoseconds, std::uint64_t unit, bool is_largest) {
    if (const std::uint64_t hundredths = rounded(nanoseconds, unit / kHundred);
        hundredths < kStep) {
        return fmt::format("{}.{:02}", hundredths / kHundred, hundredths % kHundred);
    }
    if (const std::uint64_t tenths = rounded(nanoseconds, unit / kTen); tenths < kStep) {
        return fmt::format("{}.{}", tenths / kTen, tenths % kTen);
    }
    const std::uint64_t whole = rounded(nanoseconds, unit);
    return whole < kStep || is_largest ? fmt::format("{}", whole) : "";
}

std::string magnitude_text(std::uint64_t nanoseconds) {
    if (nanoseconds < kStep) {
        return fmt::format("{} ns", nanoseconds);
    }
    std::uint64_t size = 1;
    for (std::size_t unit = 1; unit < kTimeUnits.size(); ++unit) {
        size *= kStep;
        const std::string text = in_unit(nanoseconds, size, unit + 1 == kTimeUnits.size());
        if (!text.empty()) {
            return fmt::format("{} {}", text, kTimeUnits[unit]);
        }
    }
    return "";
}

}  // namespace

std::string time_text(Duration time) {
    const auto bits = static_cast<std::uint64_t>(time.count());
    return time < Duration{} ? "-" + magnitude_text(~bits + 1) : magnitude_text(bits);
}

std::string share_text(Duration part, Duration whole) {
    constexpr double kPercent = 100;
    return whole == Duration{} ? ""
                               : fmt::format("{:.1f} %",
                                             kPercent * static_cast<double>(part.count()) /
                                                 static_cast<double>(whole.count()));
}

}  // namespace highwater
