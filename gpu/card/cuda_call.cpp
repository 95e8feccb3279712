#include "gpu/card/cuda_call.hpp"

#include <fmt/format.h>

#include "gpu/refused_error.hpp"

namespace highwater::gpu {

void cuda_call(cudaError_t status, const char* call) {
    if (status == cudaSuccess) {
        return;
    }
    static_cast<void>(cudaGetLastError());
    throw RefusedError(fmt::format("{}: {} ({}, {})",
                                   call,
                                   cudaGetErrorString(status),
                                   cudaGetErrorName(status),
                                   static_cast<int>(status)),
                       static_cast<int>(status));
}

}  // namespace highwater::gpu
