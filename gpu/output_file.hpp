#pragma once

#include <string>

namespace highwater::gpu {

/// Writes the file; `-` is standard output. Throws `InputError` at the option if it cannot be
/// written.
void write_file(const std::string& option, const std::string& path, const std::string& text);

/// The same error before there is anything to write, as far as that can be told.
void require_writable(const std::string& option, const std::string& path);

}  // namespace highwater::gpu
