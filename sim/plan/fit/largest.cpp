#include "sim/plan/fit/largest.hpp"

#include <algorithm>
#include <limits>

namespace highwater::plan {
namespace {

// Of a range whose lowest number fits and whose highest does not.
std::int64_t bisect(Range range, const Fits& fits) {
    while (range.high - range.low > 1) {
        const std::int64_t middle = range.low + (range.high - range.low) / 2;
        (fits(middle) ? range.low : range.high) = middle;
    }
    return range.low;
}

// Goes from the guess in growing steps until the answer lies between.
Range bracket(Range range, const Fits& fits, std::int64_t guess) {
    std::int64_t step = 1;
    if (fits(guess)) {
        range.low = guess;
        while (range.low + step < range.high && fits(range.low + step)) {
            range.low += step;
            step *= 2;
        }
        return {range.low, std::min(range.high, range.low + step)};
    }
    range.high = guess;
    while (range.high - step > range.low && !fits(range.high - step)) {
        range.high -= step;
        step *= 2;
    }
    return {std::max(range.low, range.high - step), range.high};
}

}  // namespace

std::optional<std::int64_t> largest(Range range,
                                    const Fits& fits,
                                    std::optional<std::int64_t> guess) {
    range.high = std::min(range.high, std::numeric_limits<std::int64_t>::max() - 1);
    if (range.low > range.high || !fits(range.low)) {
        return std::nullopt;
    }
    // One past the end stands for what does not fit.
    Range open{range.low, range.high + 1};
    if (guess && open.low < *guess && *guess < open.high) {
        open = bracket(open, fits, *guess);
    }
    return bisect(open, fits);
}

std::optional<std::int64_t> smallest(Range range, const Fits& fits) {
    const auto mirrored =
        largest({-range.high, -range.low}, [&](std::int64_t n) { return fits(-n); });
    return mirrored ? std::optional(-*mirrored) : std::nullopt;
}

}  // namespace highwater::plan
