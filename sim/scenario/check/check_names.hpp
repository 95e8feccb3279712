#pragma once

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/text/problems.hpp"

namespace highwater {

/// Names in expressions that nothing defines, streams that are not declared, checkpoints that are
/// not made, indices that hide a parameter: all are refused with an `InputError`, also where no run
/// would come by.
void check_names(const Scenario& scenario, Problems& problems);

}  // namespace highwater
