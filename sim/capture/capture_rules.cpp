#include "sim/capture/capture_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/core/check.hpp"

namespace highwater {
namespace {

using enum CallClass;

constexpr std::string_view kSynchroniseOutside =
    "synchronise before the capture begins or after it has ended";
constexpr std::string_view kAskOutside =
    "ask for the event before the capture begins or after it has ended";
constexpr std::string_view kOrderOnTheCard =
    "let a stream wait for the event instead (wait_event), or ask after the capture for an event "
    "that was recorded outside it";

constexpr auto kCalls = std::to_array<CallRule>({
    {CudaCall::kMalloc,
     kUnsafe,
     "memory is taken from the device (cudaMalloc) for a stream outside the capture",
     "allocate before the capture, let the stream join it first, or use expandable segments"},
    {CudaCall::kUncachedMalloc,
     kUnsafe,
     "memory is taken from the device (cudaMalloc), as by every allocation without caching",
     "unset PYTORCH_NO_CUDA_MEMORY_CACHING"},
    {CudaCall::kFree,
     kUnsafe,
     "memory is given back to the device (cudaFree)",
     "leave more memory free before the capture, or use expandable segments"},
    {CudaCall::kMallocAsync,
     kUnsafe,
     "memory is allocated or freed (cudaMallocAsync) on a stream outside the capture",
     "let the stream join the capture first, or do it before or after"},
    {CudaCall::kStreamSynchronize,
     kUnsafe,
     "the host synchronises with a stream outside the capture (cudaStreamSynchronize)",
     kSynchroniseOutside},
    {CudaCall::kEventSynchronize,
     kUnsafe,
     "the host waits for an event from outside the capture (cudaEventSynchronize)",
     kAskOutside},
    {CudaCall::kEventQuery,
     kUnsafe,
     "an event from outside the capture is queried (cudaEventQuery)",
     kAskOutside},
    {CudaCall::kGraphInstantiate,
     kUnsafe,
     "another graph is made executable (cudaGraphInstantiate)",
     "let the captures of one thread follow each other"},
    {CudaCall::kGraphExecDestroy,
     kUnsafe,
     "another graph is reset or deleted (cudaGraphExecDestroy)",
     "keep old graphs until the capture has ended"},
    {CudaCall::kCapturingStreamSynchronize,
     kConflict,
     "the host synchronises with a stream that is capturing (cudaStreamSynchronize, as in .item())",
     kSynchroniseOutside},
    {CudaCall::kDeviceSynchronize,
     kConflict,
     "the host synchronises with the device (cudaDeviceSynchronize)",
     kSynchroniseOutside},
    {CudaCall::kCapturedEventSynchronize,
     kCapturedEvent,
     "the host waits for an event that was recorded in the capture (cudaEventSynchronize)",
     kOrderOnTheCard},
    {CudaCall::kCapturedEventQuery,
     kCapturedEvent,
     "an event that was recorded in the capture is queried (cudaEventQuery)",
     kOrderOnTheCard},
    {CudaCall::kMapMemory, kSafe, "memory is mapped (cuMemMap)", ""},
    {CudaCall::kGraphLaunch, kSafe, "a graph is replayed (cudaGraphLaunch)", ""},
});

struct ByCaller {
    std::optional<CudaError> capturing_thread;
    std::optional<CudaError> other_thread;
};
struct RefusalRow {
    CallClass call_class{};
    ByCaller global;
    ByCaller thread_local_mode;
    ByCaller relaxed;
};

constexpr std::optional<CudaError> kOk;
constexpr std::optional<CudaError> k900 = CudaError::kStreamCaptureUnsupported;
constexpr std::optional<CudaError> k907 = CudaError::kCapturedEvent;

constexpr auto kRefusals = std::to_array<RefusalRow>({
    // class          global        thread_local  relaxed; each: the capturing thread, another
    {kSafe, /*     */ {kOk, kOk}, {kOk, kOk}, {kOk, kOk}},
    {kUnsafe, /*   */ {k900, k900}, {k900, kOk}, {kOk, kOk}},
    {kConflict, /* */ {k900, k900}, {k900, k900}, {k900, k900}},
    {kCapturedEvent, {k907, k907}, {k907, k907}, {k907, k907}},
});

const ByCaller& of_mode(const RefusalRow& row, CaptureMode mode) {
    switch (mode) {
        case CaptureMode::kGlobal:
            return row.global;
        case CaptureMode::kThreadLocal:
            return row.thread_local_mode;
        case CaptureMode::kRelaxed:
            return row.relaxed;
    }
    invariant_broken("every mode of a capture has a column", std::source_location::current());
}

}  // namespace

CallRule rule_of(CudaCall call) {
    const auto* found = std::ranges::find(kCalls, call, &CallRule::call);
    check(found != kCalls.end(), "every call has a rule");
    return *found;
}

std::optional<CudaError> refusal(CallClass call_class, CaptureMode mode, Caller caller) {
    const auto* row = std::ranges::find(kRefusals, call_class, &RefusalRow::call_class);
    check(row != kRefusals.end(), "every class of calls has a row");
    const ByCaller& columns = of_mode(*row, mode);
    return caller == Caller::kCapturingThread ? columns.capturing_thread : columns.other_thread;
}

}  // namespace highwater
