#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/report/run_report.hpp"

namespace highwater {

/// One object a hazard: its kind, how often, both places, what is wrong and what to do.
nlohmann::ordered_json hazards_json(const RunReport& run);

/// What the driver holds at the end, part by part; null without a cost profile.
nlohmann::ordered_json driver_json(const Ledger& ledger);

/// One object a pool; an empty array unless the bounds were asked for.
nlohmann::ordered_json bounds_json(const RunReport& run);

}  // namespace highwater
