#pragma once

#include <nlohmann/json_fwd.hpp>

#include "validate/recorded_program.hpp"

namespace highwater {

/// Adds the recorded operations to `into.program` and `into.ops`. Throws `std::invalid_argument` or
/// `nlohmann::json::exception` for an operation that is not of the format.
void read_recorded_ops(RecordedProgram& into,
                       const nlohmann::json& ops,
                       const nlohmann::json& rows);

}  // namespace highwater
