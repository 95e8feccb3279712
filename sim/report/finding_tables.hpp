#pragma once

#include <string>

#include "sim/report/run_report.hpp"

namespace highwater {

/// What the driver holds beside the allocator, with its error bars. Nothing without a cost profile.
std::string driver_table(const RunReport& run);

/// One paragraph a hazard, the first ones of many. Nothing if there are none.
std::string hazard_list(const RunReport& run);

/// What was free when each pool grew last, by the reason why it could not serve the request.
/// Nothing if nothing was.
std::string stranded_table(const RunReport& run);

/// What pools reserved beside what no allocator could have done without. Nothing unless the bounds
/// were asked for.
std::string bounds_table(const RunReport& run);

}  // namespace highwater
