#pragma once

#include <cuda_runtime_api.h>

namespace highwater::gpu {

/// Throws `RefusedError` unless the call succeeded, with its name and CUDA's words, and forgets the
/// error, so that it is not taken for another call's.
void cuda_call(cudaError_t status, const char* call);

}  // namespace highwater::gpu
