#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// What is tried in a Program, while it is.
struct Tried {
    std::string name;
    /// How many placements there were when it began.
    std::size_t placements = 0;
};

/// What still happens while an error passes to the end of what is tried: captures and pools that
/// were entered are left, and tensors go that were made in it and would have gone.
struct Passing {
    /// Indices into `Program::ops`, in order.
    std::vector<std::size_t> ops;
    /// Of the `EndTry`, or how many operations there are if it is missing.
    std::size_t end = 0;
};

/// `failed` is the operation that gave the error; `placements` are those so far.
Passing passing_of(const Program& program,
                   std::size_t failed,
                   const Tried& tried,
                   const std::vector<Placement>& placements);

}  // namespace highwater
