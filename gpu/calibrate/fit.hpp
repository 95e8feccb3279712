#pragma once

#include <utility>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/core/time.hpp"

namespace highwater::gpu {

/// A figure of which there are several measurements.
struct Spread {
    double median = 0;
    double least = 0;
    double most = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};

/// Of an even number the mean of the middle two. There is at least one value.
Spread spread_of(std::vector<double> values);

/// y = at_zero + slope * x.
struct Line {
    double at_zero = 0;
    double slope = 0;
};

/// The least squares. There are at least two points, not all at one x.
Line line_through(const std::vector<std::pair<double, double>>& points);

/// The largest step that all readings are whole multiples of, if they change at all; else 0.
Bytes step_of(const std::vector<Bytes>& readings);

/// To so many significant digits, half away from 0.
double rounded(double value, int digits);

}  // namespace highwater::gpu
