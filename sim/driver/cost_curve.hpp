#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.hpp"

namespace highwater {

/// A time that depends on a size or a count, from measured points: straight between two points, as
/// the last two go on beyond the last, and level below the first. No points: no time.
struct CostCurve {
    struct Point {
        std::uint64_t at = 0;
        Duration cost{};
        friend bool operator==(const Point&, const Point&) = default;
    };
    /// By rising `at`.
    std::vector<Point> points;

    Duration operator()(std::uint64_t at) const;

    friend bool operator==(const CostCurve&, const CostCurve&) = default;
};

}  // namespace highwater
