#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/expression/value.hpp"

namespace highwater {

/// One figure that a scenario's expectation states, and the one that its run gave.
struct Claim {
    SourcePlace place;
    std::vector<Override> with;
    /// A measure, `outcome`, `cuda_error`, or `hazards`: how many there are.
    std::string measure;
    Value expected;
    /// The relative error that is allowed.
    double within = 0;
    /// None where the run stopped before it.
    std::optional<Value> got;
    bool holds = false;
    std::string note;
};

/// Runs the scenario with the expectation's parameters. One claim a measure, and one about the
/// outcome if that is not an ordinary end as expected. If `strict`, hazards are a claim that does
/// not hold. Throws `InputError`.
std::vector<Claim> claims_of(const Scenario& scenario,
                             const Expectation& expectation,
                             bool strict = false);

/// Of all expectations, in the order of the file.
std::vector<Claim> claims_of(const Scenario& scenario, bool strict = false);

/// `mode=shared, layers=8`; nothing for the defaults.
std::string with_text(const Claim& claim);

/// In one line: `FILE:LINE: MEASURE with PARAMETERS: expected 3, got 4`.
std::string to_text(const Claim& claim);

}  // namespace highwater
