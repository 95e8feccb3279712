#pragma once

#include <functional>
#include <string>

#include "validate/recorded_program.hpp"

namespace highwater {

/// Reads a file of recorded programs, gzip-compressed JSON lines or plain ones, and hands over one
/// program after the other. Format: validate/README.md. Throws `InputError` at the first line that
/// is not of it.
void read_recorded_file(const std::string& path,
                        const std::function<void(const RecordedProgram&)>& take);

}  // namespace highwater
