#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/extends.hpp"
#include "sim/scenario/scenario.hpp"

namespace highwater {

/// Reads the text of a scenario; `file` is its name in messages, `read_file` gives the files that
/// it extends. Throws `InputError`.
Scenario load_scenario(std::string_view text,
                       const std::string& file,
                       const FileReader& read_file = read_no_file);

/// The text of the file at `path`. Throws `InputError` if it cannot be read or is too long.
std::string read_scenario_file(const std::string& path);

}  // namespace highwater
