#pragma once

#include <string>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "validate/compare/compare.hpp"

namespace highwater {

/// Overrides that give a scenario the parameters of a measurement: as few as do. Throws
/// `InputError` with the file if the scenario has other parameters.
std::vector<Override> overrides_for(const Scenario& scenario, const MeasuredRun& measured);

/// Runs the scenario as it was measured, and compares. A tensor that takes the rest of the card is
/// given its measured size. Throws `InputError`.
Comparison validated(const Scenario& scenario, MeasuredRun measured, const Tolerances& tolerances);

}  // namespace highwater
