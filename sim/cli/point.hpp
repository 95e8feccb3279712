#pragma once

#include <span>
#include <string>

#include "sim/engine/program.hpp"
#include "sim/report/run_report.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater {

/// One run of a scenario, and the Program it came down to.
struct Point {
    Program program;
    RunReport report;
};

/// Throws `InputError`.
Point simulate(const Scenario& scenario,
               std::span<const Override> overrides,
               const LoweringLimits& limits = {});

/// A Program from its text form: it has neither parameters nor measures.
Point simulate(Program program, const std::string& name);

}  // namespace highwater
