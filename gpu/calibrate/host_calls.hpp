#pragma once

#include "gpu/calibrate/bench.hpp"
#include "gpu/calibrate/probes.hpp"

namespace highwater::gpu {

/// The times of `Timed` that are the host's. Throws `RefusedError` and `NoMeasurement`.
Duration time_on_host(Bench& bench, Timed what, std::uint64_t n);

/// How many entries a stream has pending when a launch makes the host wait.
std::uint64_t pending_when_launch_waits(Bench& bench);

}  // namespace highwater::gpu
