#pragma once

#include <vector>

#include "sim/scenario/description/step.hpp"

namespace highwater {

/// A formula of a step, and what it stands for.
struct FormulaUse {
    enum class Role { kValue, kStream, kName };
    const Formula* formula = nullptr;
    Role role = Role::kValue;
};

/// The formulas of the step itself, without those of the steps inside it.
std::vector<FormulaUse> formulas_of(const StepKind& kind);

/// A tensor that a step mentions.
template <typename Name>
struct TensorUseOf {
    Name* tensor = nullptr;
    /// Allocated by the step, or given this name by it.
    bool is_made = false;
};
using TensorUse = TensorUseOf<TensorName>;
using ConstTensorUse = TensorUseOf<const TensorName>;

/// The tensors that the step itself mentions: those it reads, then those it makes.
std::vector<TensorUse> tensors_of(StepKind& kind);
std::vector<ConstTensorUse> tensors_of(const StepKind& kind);

/// The lists of steps inside a step: none for most.
std::vector<const StepList*> bodies_of(const StepKind& kind);
std::vector<StepList*> bodies_of(StepKind& kind);

}  // namespace highwater
