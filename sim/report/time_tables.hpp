#pragma once

#include <string>

#include "sim/report/run_report.hpp"

namespace highwater {

/// What the run's time went to, and which streams were at work. Nothing if none was, as without a
/// cost profile.
std::string time_table(const RunReport& run);

/// The graphs that were captured, with what they cost and how they ran; nothing if there are none.
std::string graph_table(const RunReport& run);

}  // namespace highwater
