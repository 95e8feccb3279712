#pragma once

#include <optional>
#include <vector>

#include "sim/scenario/description/step_parts.hpp"
#include "sim/scenario/text/placed_text.hpp"

/// The steps that templates are made of.
namespace highwater::step {

/// A call of the framework: allocates what it returns and its scratch, launches a kernel, gives the
/// scratch back.
struct Op {
    struct Made {
        Allocation allocation;
        bool is_scratch = false;
    };
    PlacedText name;
    std::vector<TensorName> in;
    std::vector<TensorName> in_place;
    /// In the order written, which is the order of allocation.
    std::vector<Made> made;
    /// Names of workspaces, needed on the current stream.
    std::vector<PlacedText> uses;
    KernelCost cost;
};

/// Runs a template: its inputs are the caller's tensors, its outputs become the caller's.
struct UseTemplate {
    PlacedText name;
    std::vector<TensorName> in;
    std::vector<TensorName> out;
    Arguments arguments;
};

/// Another name for a tensor, which lives as long as any of its names: a view.
struct View {
    TensorName made;
    TensorName of;
};

/// Another name for the memory of a tensor, which does not keep it.
struct WeakView {
    TensorName made;
    TensorName of;
};

/// Side work: `stream` waits for the current stream and carries out the body.
struct Branch {
    PlacedText name;
    Formula stream;
    StepList body;
};

/// The current stream waits for the branch.
struct Join {
    PlacedText branch;
};

/// A loop whose index `layer` goes on counting through all such loops of the template.
struct Layers {
    Formula count;
    StepList body;
};

/// Where a capture is taken in segments, the body runs between two graphs; elsewhere in place.
struct Eager {
    StepList body;
};

}  // namespace highwater::step
