#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace highwater::plan {

/// Whether a thing of that size fits.
using Fits = std::function<bool(std::int64_t)>;

struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// The largest number of the range that fits, where with each number all smaller ones do. None if
/// not even the lowest fits. Asks first around `guess`, if there is one: near the answer a few
/// questions are enough.
std::optional<std::int64_t> largest(Range range,
                                    const Fits& fits,
                                    std::optional<std::int64_t> guess = std::nullopt);

/// The smallest number of the range that fits, where with each number all larger ones do.
std::optional<std::int64_t> smallest(Range range, const Fits& fits);

}  // namespace highwater::plan
