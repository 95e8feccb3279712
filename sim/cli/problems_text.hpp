#pragma once

#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/text/source_files.hpp"

namespace highwater {

/// Each problem's line, and under it the line of the file with a caret where the problem is; of
/// many problems the first fifty, and how many more there are.
std::string problems_text(const std::vector<InputError>& problems, const SourceFiles& files);

}  // namespace highwater
