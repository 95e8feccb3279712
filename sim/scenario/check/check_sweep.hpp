#pragma once

#include <span>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/text/problems.hpp"

namespace highwater {

/// A sweep over what is no parameter, over one twice, or with a value listed twice: all are refused
/// with an `InputError`. Gives axes that take all choices their turns.
void check_sweep(Scenario& scenario, Problems& problems);

/// Resolves the parameters at every point; what the scenario does not take is refused.
void check_sweep_values(const Scenario& scenario,
                        std::span<const SweepPoint> points,
                        Problems& problems);

}  // namespace highwater
