#pragma once

#include <string>
#include <vector>

namespace highwater {

/// Does what the words after the program's name say, and gives the exit status: 0 done, 1 the
/// answer is no, 2 bad input, told in one line on standard error, 3 nothing could be measured.
int run_command_line(const std::vector<std::string>& words);

}  // namespace highwater
