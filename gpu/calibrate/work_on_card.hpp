#pragma once

#include "gpu/calibrate/bench.hpp"
#include "gpu/calibrate/probes.hpp"

namespace highwater::gpu {

/// The times of `Timed` that are the card's. Throws `RefusedError` and `NoMeasurement`.
Duration time_on_card(Bench& bench, Timed what, std::uint64_t n);

}  // namespace highwater::gpu
