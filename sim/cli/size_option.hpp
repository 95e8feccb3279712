#pragma once

#include <string>

#include "sim/core/bytes.hpp"

namespace highwater {

/// A size on the command line: `80GiB`, `1.5 GiB`, `1048576`, in whole bytes. Throws `InputError`
/// with `option` as its place.
Bytes parse_size(const std::string& text, const std::string& option);

}  // namespace highwater
