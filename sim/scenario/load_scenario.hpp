#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/text/extends.hpp"

namespace highwater {

/// Reads the text of a scenario; `file` is its name in messages, `read_file` gives the files that
/// it extends. Throws `InputError`.
Scenario load_scenario(std::string_view text,
                       const std::string& file,
                       const FileReader& read_file = read_no_file);

/// All that is wrong with a scenario's text.
struct ScenarioCheck {
    /// Whole if nothing is wrong.
    Scenario scenario;
    /// In order of place: of the scenario itself first, then of what it extends. At most
    /// `Problems::kMost`.
    std::vector<InputError> problems;
    /// What could be read.
    SourceFiles sources;
};

/// As `load_scenario`, but goes on where it would throw.
ScenarioCheck check_scenario(std::string_view text,
                             const std::string& file,
                             const FileReader& read_file = read_no_file);

/// The text of the file at `path`. Throws `InputError` if it cannot be read or is too long.
std::string read_scenario_file(const std::string& path);

}  // namespace highwater
