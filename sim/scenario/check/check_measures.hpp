#pragma once

#include <string>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/text/problems.hpp"

namespace highwater {

/// Every name in the measures is a parameter, a figure of a checkpoint that some step makes, or a
/// tensor that some step allocates; else an `InputError`.
void check_measures(const Scenario& scenario,
                    const std::vector<std::string>& parameters,
                    Problems& problems);

}  // namespace highwater
