#pragma once

#include <vector>

#include "sim/scenario/description/step_parts.hpp"
#include "sim/scenario/text/problems.hpp"

namespace highwater {

/// Each parameter has its argument, and no argument is for nothing: else an `InputError`, one each.
/// `callee` is named where it is used.
void require_arguments(const Arguments& arguments,
                       const std::vector<PlacedText>& parameters,
                       const PlacedText& callee,
                       Problems& problems);

}  // namespace highwater
