#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/description/step.hpp"

namespace highwater {

/// Steps with tensors of their own: what a module's `forward` does. A tensor that the body makes
/// goes after the last step that mentions it, unless it is kept or returned.
struct Template {
    PlacedText name;
    std::vector<TensorName> in;
    std::vector<TensorName> out;
    std::vector<PlacedText> parameters;
    /// Names for expressions, each over those before it.
    std::vector<std::pair<PlacedText, Formula>> values;
    /// Allocated by `load_weights`, once for each place and layer that uses the template.
    std::vector<Allocation> weights;
    /// Kept until the template ends, as local variables of a function are.
    std::vector<TensorName> keep;
    StepList body;
    /// The template's own tensors by slot; see `assign_lifetimes`.
    std::vector<std::string> slots;
};

/// What a library keeps for its calls, such as cuBLAS for each stream.
struct Workspace {
    PlacedText name;
    Formula size;
    /// One for each stream, or one for the device.
    bool per_stream = true;
    /// Given back after each call, or never.
    bool scoped = false;
};

}  // namespace highwater
