#pragma once

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/text/problems.hpp"

namespace highwater {

/// Every expectation is about measures that there are, with values that the parameters take; else
/// an `InputError`.
void check_expectations(const Scenario& scenario, Problems& problems);

}  // namespace highwater
