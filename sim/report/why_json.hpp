#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/report/why_tables.hpp"

namespace highwater {

/// In bytes by reason (`kStrandedNames`), every reason.
nlohmann::ordered_json stranded_json(const StrandedBytes& stranded);

/// Where memory is at a moment, in exact bytes.
nlohmann::ordered_json why_json(const Why& why, const WhyNames& names);

/// What was run, most saved first, and the best of it together.
nlohmann::ordered_json advice_json(const HistoryAdvice& advice);

}  // namespace highwater
