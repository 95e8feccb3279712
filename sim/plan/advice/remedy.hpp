#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/engine/ledger.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// What a scenario could do otherwise, to be tried on it.
struct PlanRemedy {
    /// For people, as an instruction.
    std::string text;
    /// What to write, and where: "serve.yaml:31: `pool: shared`", "--set pool=shared", or an
    /// option.
    std::string change;
    /// Two about the same exclude each other.
    std::string about;
    std::function<void(Scenario&)> apply;
    /// Whether it rests on what no run can tell: that a library works with less. It is told, and
    /// not put together with others.
    bool is_assumed = false;
};

/// One that there is nothing to do for, or that a run did not confirm, and why.
struct LeftOut {
    std::string text;
    std::string why;
    friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

struct PlanRemedies {
    std::vector<PlanRemedy> possible;
    std::vector<LeftOut> left_out;
};

/// A scenario with what it came to.
struct RunScenario {
    const Scenario& scenario;
    const ParameterValues& values;
    const Lowered& lowered;
};

/// Those that there is something to do for: one side stream, the order of the captures, one pool,
/// outputs, weak references across segments, expandable segments, limits of splitting, workspaces,
/// fewer buckets, empty_cache between phases.
PlanRemedies remedies_for(const RunScenario& run);

}  // namespace highwater::plan
