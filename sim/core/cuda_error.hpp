#pragma once

#include <string_view>

namespace highwater {

/// The errors of the CUDA runtime that the simulator predicts, by their numbers in
/// `driver_types.h` (CUDA Runtime API reference, cudaError_t).
enum class CudaError {
    kInvalidValue = 1,
    kMemoryAllocation = 2,
    kIllegalState = 401,
    kNotPermitted = 800,
    kStreamCaptureUnsupported = 900,
    kStreamCaptureInvalidated = 901,
    kStreamCaptureMerge = 902,
    kStreamCaptureUnmatched = 903,
    kStreamCaptureUnjoined = 904,
    kStreamCaptureIsolation = 905,
    kStreamCaptureImplicit = 906,
    kCapturedEvent = 907,
    kStreamCaptureWrongThread = 908,
};

/// `cudaErrorStreamCaptureUnjoined`.
std::string_view name_of(CudaError error);

}  // namespace highwater
