#include "sim/core/cuda_error.hpp"

#include "sim/core/check.hpp"

namespace highwater {

std::string_view name_of(CudaError error) {
    switch (error) {
        case CudaError::kInvalidValue:
            return "cudaErrorInvalidValue";
        case CudaError::kMemoryAllocation:
            return "cudaErrorMemoryAllocation";
        case CudaError::kIllegalState:
            return "cudaErrorIllegalState";
        case CudaError::kNotPermitted:
            return "cudaErrorNotPermitted";
        case CudaError::kStreamCaptureUnsupported:
            return "cudaErrorStreamCaptureUnsupported";
        case CudaError::kStreamCaptureInvalidated:
            return "cudaErrorStreamCaptureInvalidated";
        case CudaError::kStreamCaptureMerge:
            return "cudaErrorStreamCaptureMerge";
        case CudaError::kStreamCaptureUnmatched:
            return "cudaErrorStreamCaptureUnmatched";
        case CudaError::kStreamCaptureUnjoined:
            return "cudaErrorStreamCaptureUnjoined";
        case CudaError::kStreamCaptureIsolation:
            return "cudaErrorStreamCaptureIsolation";
        case CudaError::kStreamCaptureImplicit:
            return "cudaErrorStreamCaptureImplicit";
        case CudaError::kCapturedEvent:
            return "cudaErrorCapturedEvent";
        case CudaError::kStreamCaptureWrongThread:
            return "cudaErrorStreamCaptureWrongThread";
    }
    invariant_broken("every error of CUDA has a name", std::source_location::current());
}

}  // namespace highwater
