#pragma once

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/text/problems.hpp"

namespace highwater {

/// Checks every use of a template, a workspace and a model, tells the uses of templates from
/// operations, and assigns lifetimes. Throws `InputError`.
void check_templates(Scenario& scenario, Problems& problems);

}  // namespace highwater
