#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/measurement.hpp"
#include "sim/engine/program.hpp"
#include "sim/report/run_report.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::gpu {

/// What is to be run: a scenario with values for its parameters, or a Program's text.
struct Point {
    std::string name;
    Program program;
    /// None of a Program's text.
    std::optional<Scenario> scenario;
    ParameterValues values;
    std::vector<ServedBucket> served;
};

/// From the file at `path`; `set` are the words of `--set`. Throws `InputError`.
Point read_point(const std::string& path, const std::vector<std::string>& set);

/// The report that `highwater run` gives, with measured figures in the ledger's place.
RunReport report_of(const Point& point, const Measurement& measurement);

}  // namespace highwater::gpu
