#pragma once

#include "sim/allocator/settings.hpp"
#include "sim/scenario/text/placed_text.hpp"

namespace highwater {

/// Applies the text as PyTorch would when it runs. What PyTorch rejects is an `InputError` at the
/// very character.
void apply_conf(AllocatorSettings& settings, const PlacedText& conf);

/// Checks the text that PyTorch reads when it starts: it alone may choose the backend.
void check_conf(const PlacedText& conf);

}  // namespace highwater
