#include "sim/driver/cost_curve.hpp"

#include <algorithm>
#include <iterator>

namespace highwater {
namespace {

// Eleven days: a line that goes on for ever must not leave the clock.
constexpr double kMostNanoseconds = 1e15;

Duration on_line(const CostCurve::Point& a, const CostCurve::Point& b, std::uint64_t at) {
    const auto run = static_cast<double>(b.at - a.at);
    const auto rise = static_cast<double>((b.cost - a.cost).count());
    const double cost = static_cast<double>(a.cost.count()) +
                        rise * (static_cast<double>(at) - static_cast<double>(a.at)) / run;
    return Duration{static_cast<Duration::rep>(std::clamp(cost, 0.0, kMostNanoseconds))};
}

}  // namespace

Duration CostCurve::operator()(std::uint64_t at) const {
    if (points.empty()) {
        return {};
    }
    if (at <= points.front().at || points.size() == 1) {
        return points.front().cost;
    }
    const auto beyond = std::ranges::upper_bound(points, at, {}, &Point::at);
    const auto second = beyond == points.end() ? std::prev(beyond) : beyond;
    return on_line(*std::prev(second), *second, at);
}

}  // namespace highwater
