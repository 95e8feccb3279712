#pragma once

#include <string>

#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// The file that PyTorch 2.11 would write of it (around-allocator specification 7), in pickle
/// protocol 4: Python's pickle, torch.cuda._memory_viz and PyTorch's viewer read it. Events have
/// their pool as 2.12 has it, `pool_id`, if they know it. Every event has `frames`, empty ones too.
/// The base is left out: PyTorch's files have none. `read_pickle` gives the rest back as it was.
std::string to_pickle(const Snapshot& snapshot);

}  // namespace highwater
