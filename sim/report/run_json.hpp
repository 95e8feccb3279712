#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sim/report/run_report.hpp"

namespace highwater {

/// The JSON of `highwater run`: sizes in bytes, keys as in torch.cuda.memory_stats where it has
/// one. A key for the failure is there only if there was one.
nlohmann::ordered_json run_json(const RunReport& run);

/// The same as text, with an end of line. Bytes that are not UTF-8 become U+FFFD.
std::string run_json_text(const RunReport& run);

/// Any JSON of ours as text.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace highwater
