#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "validate/recorded_program.hpp"

namespace highwater {

/// The first line of a file of recorded programs: what its programs share.
struct RecordedHead {
    Machine machine;
    std::vector<std::string> counters;
};

/// Both throw `nlohmann::json::exception`, `std::invalid_argument` or `SettingsError` for what is
/// not of the format.
RecordedHead read_recorded_head(const nlohmann::json& json);
RecordedProgram read_recorded_program(const RecordedHead& head, const nlohmann::json& json);

}  // namespace highwater
