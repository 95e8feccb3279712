#pragma once

#include "sim/scenario/problems.hpp"
#include "sim/scenario/scenario.hpp"

namespace highwater {

/// Checks every use of a template, a workspace and a model, tells the uses of templates from
/// operations, and assigns lifetimes. Throws `InputError`.
void check_templates(Scenario& scenario, Problems& problems);

}  // namespace highwater
