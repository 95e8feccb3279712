#pragma once

#include "sim/snapshot/input_file.hpp"

namespace highwater {

/// Throws `InputError`, which says what the file is, if it looks like something that people have
/// beside memory histories: by its first bytes, or by its name.
void refuse_others(const InputFile& file);

}  // namespace highwater
