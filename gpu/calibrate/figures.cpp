#include "gpu/calibrate/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace highwater::gpu {
namespace {

constexpr int kDigits = 3;

}  // namespace

Series TimeFigures::at(Timed what, std::uint64_t n) const {
    const auto found = samples_.times.find({what, n});
    return found == samples_.times.end() ? Series() : found->second;
}

std::vector<std::uint64_t> TimeFigures::tried(Timed what) const {
    std::vector<std::uint64_t> all;
    for (const auto& [probe, times] : samples_.times) {
        if (probe.what == what) {
            all.push_back(probe.n);
        }
    }
    return all;
}

Series TimeFigures::each(Timed what) const {
    Series slopes(samples_.repeats);
    const std::vector<std::uint64_t> all = tried(what);
    for (std::size_t i = 0; i < slopes.size() && all.size() > 1; ++i) {
        std::vector<std::pair<double, double>> points;
        for (const std::uint64_t n : all) {
            if (const std::optional<double> time = at(what, n).at(i)) {
                points.emplace_back(static_cast<double>(n), *time);
            }
        }
        if (points.size() == all.size()) {
            slopes[i] = line_through(points).slope;
        }
    }
    return slopes;
}

Series combined(const Series& a, const Series& b, const std::function<double(double, double)>& of) {
    Series made(std::min(a.size(), b.size()));
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (a[i] && b[i]) {
            made[i] = of(*a[i], *b[i]);
        }
    }
    return made;
}

Series changed(const Series& series, const std::function<double(double)>& how) {
    return combined(series, series, [&](double value, double) { return how(value); });
}

Series rates(const Series& times, double bytes) {
    constexpr double kNanosecondsPerSecond = 1e9;
    return changed(times, [bytes](double time) {
        return time > 0 ? bytes * kNanosecondsPerSecond / time : 0;
    });
}

std::optional<Spread> spread_of(const Series& series) {
    std::vector<double> values;
    for (const std::optional<double>& value : series) {
        if (value) {
            values.push_back(*value);
        }
    }
    return values.empty() ? std::nullopt : std::optional<Spread>(spread_of(values));
}

std::string microseconds(double nanoseconds) {
    constexpr double kThousand = 1000;
    // The simulator counts whole nanoseconds.
    const double microseconds = std::round(rounded(nanoseconds, kDigits)) / kThousand;
    return fmt::format("{:.10g} us", microseconds);
}

std::string rate(double per_second) {
    constexpr int kThousands = 3;
    constexpr double kTen = 10;
    const double value = rounded(per_second, kDigits);
    if (value < 1) {
        return fmt::format("{:.10g}", value);
    }
    const int exponent = static_cast<int>(std::floor(std::log10(value))) / kThousands * kThousands;
    return fmt::format("{:.6g}e{}", value / std::pow(kTen, exponent), exponent);
}

std::string exact_size(Bytes size) {
    constexpr std::array<const char*, 4> kUnits{"B", "KiB", "MiB", "GiB"};
    constexpr std::uint64_t kStep = 1024;
    std::uint64_t count = size.count;
    std::size_t unit = 0;
    while (count > 0 && count % kStep == 0 && unit + 1 < kUnits.size()) {
        count /= kStep;
        ++unit;
    }
    return fmt::format("{} {}", count, kUnits.at(unit));
}

std::string source(const std::string& how,
                   std::size_t repeats,
                   const Spread& spread,
                   const std::function<std::string(double)>& text) {
    return fmt::format(
        "{}; median of {}, {} to {}", how, repeats, text(spread.least), text(spread.most));
}

}  // namespace highwater::gpu
