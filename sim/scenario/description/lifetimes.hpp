#pragma once

#include "sim/scenario/description/template.hpp"

namespace highwater {

/// Gives each tensor that the template makes a slot, and each step the slots whose last mention it
/// is. A tensor made and used within one turn of a loop ends in it; one that a turn finds from the
/// turn before lives on to the end of the loop.
void assign_lifetimes(Template& form);

}  // namespace highwater
