#pragma once

#include <string>
#include <vector>

#include "sim/report/run_report.hpp"

namespace highwater {

/// Runs of one scenario that differ in the parameters swept over, in the order they were run.
struct SweepReport {
    std::vector<std::string> swept;
    std::vector<RunReport> points;
};

/// For people: the scenario's words, then `sweep_table` and its footnote.
std::string sweep_text(const SweepReport& sweep);

/// One row a point: the parameters swept over, peak and final reserved memory, the measures.
std::string sweep_table(const SweepReport& sweep);

/// One line a point, with all parameters and figures exactly.
std::string sweep_csv(const SweepReport& sweep);

/// JSON: `{"points": [...]}`, each as of a run.
std::string sweep_json_text(const SweepReport& sweep);

}  // namespace highwater
