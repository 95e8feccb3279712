#pragma once

#include <string>

#include "sim/allocator/settings.hpp"
#include "sim/core/error.hpp"

namespace highwater {

/// The settings of a process started with `conf`. Throws `InputError` at `place` for a text that
/// PyTorch refuses.
AllocatorSettings modelled_settings(const std::string& conf, const SourcePlace& place);

}  // namespace highwater
