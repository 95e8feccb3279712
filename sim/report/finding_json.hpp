#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/report/run_report.hpp"

namespace highwater {

/// One object a hazard: its kind, how often, both places, what is wrong and what to do.
nlohmann::ordered_json hazards_json(const RunReport& run);

/// What the driver holds at the end, part by part; null without a cost profile.
nlohmann::ordered_json driver_json(const Ledger& ledger);

/// At the pool's last growth, in bytes by reason (`kStrandedNames`): all 0 if it never grew, null
/// where that is not modelled.
nlohmann::ordered_json stranded_json(const PoolRow& pool);

/// The request that the pool last grew for; null if there was none, or it is not known.
nlohmann::ordered_json last_growth_json(const RunReport& run, const PoolRow& pool);

/// One object a pool; an empty array unless the bounds were asked for.
nlohmann::ordered_json bounds_json(const RunReport& run);

}  // namespace highwater
