#pragma once

#include <string>

#include "gpu/measurement.hpp"
#include "gpu/memory_backend.hpp"
#include "gpu/rank.hpp"
#include "sim/engine/program.hpp"

namespace highwater::gpu {

/// Runs the Program on the backend's card, as that rank. Stops at the first operation that fails,
/// unless it is tried, and says so in `Ledger::failure`. Throws `InputError` for a Program that is
/// not well formed and `NoMeasurement` for one that the backend cannot run.
Measurement measure(const Program& program,
                    Backend& backend,
                    const std::string& backend_name,
                    const Rank& rank = {});

}  // namespace highwater::gpu
