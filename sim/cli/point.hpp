#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/capture/capture_graph.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/engine/program.hpp"
#include "sim/engine/run.hpp"
#include "sim/report/run_report.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater {

/// One run of a scenario, and the Program it came down to.
struct Point {
    Program program;
    RunReport report;
    /// In the order of `Ledger::graphs`; empty unless they were asked for.
    std::vector<CaptureGraph> graphs;
    /// Empty unless it was asked for.
    RunHistory history;
    /// None if no time passes.
    std::optional<CostProfile> costs{};
};

/// What a run is to note beside its figures.
struct Noting {
    bool memory_over_time = false;
    bool graphs = false;
    bool bounds = false;
    bool history = false;
};

/// Changes a Program before it runs.
using ProgramEdit = std::function<void(Program&)>;

/// Throws `InputError`.
Point simulate(const Scenario& scenario,
               std::span<const Override> overrides,
               const LoweringLimits& limits = {},
               const Noting& noting = {},
               const ProgramEdit& edit = {});

/// A Program from its text form: it has neither parameters nor measures.
Point simulate(Program program,
               const std::string& name,
               const std::optional<CostProfile>& costs,
               const Noting& noting = {});

/// What the Program's machine names: a profile that is compiled in, or a file. Throws `InputError`.
std::optional<CostProfile> cost_profile_of(const Program& program, const std::string& name);

}  // namespace highwater
