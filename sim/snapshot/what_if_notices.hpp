#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/changes.hpp"
#include "sim/snapshot/merged_workspaces.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// What a history has and its what-if has not.
struct LeftOut {
    /// Free at the start.
    Bytes free;
    const MergedWorkspaces& workspaces;
};

/// What a what-if of this history could not know, or took to be, a sentence each.
std::vector<std::string> what_if_notices(const Replay& replay,
                                         const LeftOut& left_out,
                                         const Changes& changes);

}  // namespace highwater
