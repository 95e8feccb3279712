#pragma once

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/text/problems.hpp"

namespace highwater {

/// Procedures of one name, calls of unknown ones, with wrong arguments, of themselves, or nested
/// too deep: all are refused with an `InputError`, also where no run would come by.
void check_calls(const Scenario& scenario, Problems& problems);

}  // namespace highwater
