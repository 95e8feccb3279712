#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// A stretch of a Program with a peak of its own: operations [first, end).
struct Phase {
    /// As the scenario calls it: "capture"; what stands between is "to checkpoint NAME", or
    /// "steps".
    std::string name;
    SourcePlace place;
    std::size_t first = 0;
    std::size_t end = 0;
    /// As a phase of the scenario; not what stands between.
    bool is_written = false;
    friend bool operator==(const Phase&, const Phase&) = default;
};

/// They tile the Program. What stands between the scenario's phases ends at its checkpoints.
std::vector<Phase> phases_of(const Lowered& lowered);

}  // namespace highwater::plan
