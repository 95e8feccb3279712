#pragma once

#include <optional>

#include "sim/core/bytes.hpp"

namespace highwater {

/// How far off a measurement on a card may be: `tolerances`.
struct StatedTolerances {
    /// Of times, as a share of what was measured.
    std::optional<double> time;
    /// Of the driver's memory at checkpoints, in place of the error that the prediction states.
    std::optional<Bytes> driver;
};

}  // namespace highwater
