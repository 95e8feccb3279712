#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/scenario.hpp"

namespace highwater {

/// Reads the text of a scenario; `file` is its name in messages. Throws `InputError`.
Scenario load_scenario(std::string_view text, const std::string& file);

/// The text of the file at `path`. Throws `InputError` if it cannot be read or is too long.
std::string read_scenario_file(const std::string& path);

}  // namespace highwater
