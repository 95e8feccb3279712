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

/// How long a kernel runs: the longest of what is given, a duration or work that the card's rates
/// turn into one.
struct KernelCost {
    std::optional<Formula> duration;
    /// The share of the card's multiprocessors that it can use.
    std::optional<Formula> width;
    std::optional<Formula> flops;
    /// Of the flops.
    std::optional<PlacedText> dtype;
    /// Read and written.
    std::optional<Formula> bytes;
};

using Arguments = std::vector<std::pair<PlacedText, Formula>>;

}  // namespace highwater
