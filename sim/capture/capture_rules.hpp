#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/capture/capture_mode.hpp"
#include "sim/core/cuda_error.hpp"

namespace highwater {

/// How CUDA treats a call beside a capture (cudaThreadExchangeStreamCaptureMode). Which call is in
/// which class was measured on driver 580, CUDA 13.0; where the CUDA documentation gives other
/// examples, the measurement counts.
enum class CallClass : std::uint8_t {
    /// Always allowed.
    kSafe,
    /// Forbidden to the threads that the capture's mode says.
    kUnsafe,
    /// Contradicts the capture itself: forbidden to all threads in every mode.
    kConflict,
    /// The same for an event that was recorded in the capture; the error is another.
    kCapturedEvent,
};

/// The CUDA calls that the simulator makes beside a capture. Work that is put into streams has
/// rules of its own: see `Captures`.
enum class CudaCall : std::uint8_t {
    kMalloc,
    /// Without PyTorch's caching allocator, every allocation.
    kUncachedMalloc,
    kFree,
    /// On a stream outside the capture.
    kMallocAsync,
    kStreamSynchronize,
    kEventSynchronize,
    kEventQuery,
    kGraphInstantiate,
    kGraphExecDestroy,
    kCapturingStreamSynchronize,
    kDeviceSynchronize,
    kCapturedEventSynchronize,
    kCapturedEventQuery,
    /// cuMemAddressReserve, cuMemCreate, cuMemMap and their opposites.
    kMapMemory,
    /// On a stream outside the capture.
    kGraphLaunch,
};

struct CallRule {
    CudaCall call{};
    CallClass call_class{};
    /// What happens, as the beginning of a sentence.
    std::string_view what;
    std::string_view remedy;
};
CallRule rule_of(CudaCall call);

/// Who makes a call, as a capture sees it.
enum class Caller : std::uint8_t { kCapturingThread, kOtherThread };

/// What the call gives beside a capture of that mode, if it is not allowed. A call that is refused
/// also breaks the capture.
std::optional<CudaError> refusal(CallClass call_class, CaptureMode mode, Caller caller);

}  // namespace highwater
