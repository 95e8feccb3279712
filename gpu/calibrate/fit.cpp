#include "gpu/calibrate/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/check.hpp"

namespace highwater::gpu {

Spread spread_of(std::vector<double> values) {
    check(!values.empty(), "a median is of something");
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

Line line_through(const std::vector<std::pair<double, double>>& points) {
    double mean_x = 0;
    double mean_y = 0;
    for (const auto& [x, y] : points) {
        mean_x += x / static_cast<double>(points.size());
        mean_y += y / static_cast<double>(points.size());
    }
    double along = 0;
    double squares = 0;
    for (const auto& [x, y] : points) {
        along += (x - mean_x) * (y - mean_y);
        squares += (x - mean_x) * (x - mean_x);
    }
    check(squares > 0, "a line goes through points at more than one place");
    const double slope = along / squares;
    return {mean_y - slope * mean_x, slope};
}

Bytes step_of(const std::vector<Bytes>& readings) {
    std::uint64_t step = 0;
    for (const Bytes reading : readings) {
        step = std::gcd(step, reading.count);
    }
    return Bytes{step};
}

double rounded(double value, int digits) {
    constexpr double kTen = 10;
    if (value == 0) {
        return 0;
    }
    const int above = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    const double unit = std::pow(kTen, std::abs(digits - above));
    return digits >= above ? std::round(value * unit) / unit : std::round(value / unit) * unit;
}

}  // namespace highwater::gpu
