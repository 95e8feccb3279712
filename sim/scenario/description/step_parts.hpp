#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/scenario/expression/formula.hpp"

namespace highwater {

struct Step;
using StepList = std::vector<Step>;

/// Which of a template's own tensors.
enum class Slot : std::uint32_t {};

/// A tensor by its name, perhaps with indices.
struct TensorName {
    Formula reference;
    /// Of a tensor that the template around makes; the others belong to the scenario.
    std::optional<Slot> slot;
};

struct Allocation {
    TensorName tensor;
    Formula size;
};

using Arguments = std::vector<std::pair<PlacedText, Formula>>;

}  // namespace highwater
