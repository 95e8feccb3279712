#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/changes.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// What a what-if of this history could not know, or took to be, a sentence each. `dropped` was
/// free at the start and is not there.
std::vector<std::string> what_if_notices(const Replay& replay,
                                         Bytes dropped,
                                         const Changes& changes);

}  // namespace highwater
