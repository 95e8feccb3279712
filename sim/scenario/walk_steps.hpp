#pragma once

#include <vector>

#include "sim/scenario/step.hpp"

namespace highwater {

/// A formula of a step, and what it stands for.
struct FormulaUse {
    enum class Role { kValue, kStream, kName };
    const Formula* formula = nullptr;
    Role role = Role::kValue;
};

/// The formulas of the step itself, without those of the steps inside it.
std::vector<FormulaUse> formulas_of(const StepKind& kind);

/// The lists of steps inside a step: none for most.
std::vector<const StepList*> bodies_of(const StepKind& kind);

}  // namespace highwater
