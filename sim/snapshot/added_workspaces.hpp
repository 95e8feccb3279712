#pragma once

#include <vector>

#include "sim/snapshot/stream_map.hpp"

namespace highwater {

/// The workspaces of cuBLAS for the streams of the map that do the work of another one: PyTorch
/// keeps one for each thread and stream (around-allocator specification 6). Each comes where the
/// recorded one came: from the start, or as far into the stream's first work as that one after its
/// stream was turned to.
std::vector<AddedWorkspace> added_workspaces(const RecordedHistory& recorded,
                                             const std::vector<FoundCapture>& captures,
                                             const StreamMap& streams);

}  // namespace highwater
