#pragma once

#include "sim/allocator/settings.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// The settings in force when the file was written: its PYTORCH_CUDA_ALLOC_CONF, then what PyTorch
/// exported beside it, which tells of settings changed at run time (around-allocator specification
/// 7.4). Throws `InputError` for values that PyTorch cannot have written.
AllocatorSettings settings_of(const Snapshot& snapshot);

}  // namespace highwater
