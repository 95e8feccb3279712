#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "sim/scenario/lower/serving.hpp"

namespace highwater {

struct Measure {
    std::string name;
    /// None where the run stopped before a checkpoint that the measure needs, and for times without
    /// a cost profile.
    std::optional<Value> value;
    friend bool operator==(const Measure&, const Measure&) = default;
};

/// The scenario's measures, in its order. Of several checkpoints of one name the last counts.
/// Throws `InputError`, also for a checkpoint that the steps did not come by with these values.
std::vector<Measure> evaluate_measures(const Scenario& scenario,
                                       const ParameterValues& values,
                                       const Program& program,
                                       const Ledger& ledger,
                                       const std::vector<ServedBucket>& served = {});

}  // namespace highwater
