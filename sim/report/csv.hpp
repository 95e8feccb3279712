#pragma once

#include <string>
#include <vector>

namespace highwater {

/// One line of comma-separated values (RFC 4180, but with a plain end of line).
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace highwater
