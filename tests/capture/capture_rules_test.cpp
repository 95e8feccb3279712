// Which calls CUDA refuses beside a capture: measured on driver 580, CUDA 13.0.
#include "sim/capture/capture_rules.hpp"

#include <array>

#include "tests/support/catch.hpp"

namespace highwater {
namespace {

int number(std::optional<CudaError> error) {
    return error ? static_cast<int>(*error) : 0;
}

}  // namespace

TEST_CASE("what a call gives depends on its class, the mode and the thread", "[capture][rules]") {
    using Numbers = std::array<int, 6>;
    const auto [call_class, expected] = GENERATE(table<CallClass, Numbers>({
        // global: capturing thread, another; thread_local: the same; relaxed: the same
        {CallClass::kSafe, {0, 0, 0, 0, 0, 0}},
        {CallClass::kUnsafe, {900, 900, 900, 0, 0, 0}},
        {CallClass::kConflict, {900, 900, 900, 900, 900, 900}},
        {CallClass::kCapturedEvent, {907, 907, 907, 907, 907, 907}},
    }));
    std::size_t at = 0;
    for (const CaptureMode mode :
         {CaptureMode::kGlobal, CaptureMode::kThreadLocal, CaptureMode::kRelaxed}) {
        for (const Caller caller : {Caller::kCapturingThread, Caller::kOtherThread}) {
            CHECK(number(refusal(call_class, mode, caller)) == expected[at++]);
        }
    }
}

TEST_CASE("memory calls, other streams and other graphs are unsafe", "[capture][rules]") {
    const auto call = GENERATE(CudaCall::kMalloc,
                               CudaCall::kUncachedMalloc,
                               CudaCall::kFree,
                               CudaCall::kMallocAsync,
                               CudaCall::kStreamSynchronize,
                               CudaCall::kEventSynchronize,
                               CudaCall::kEventQuery,
                               CudaCall::kGraphInstantiate,
                               CudaCall::kGraphExecDestroy);
    CHECK(rule_of(call).call_class == CallClass::kUnsafe);
    CHECK_FALSE(rule_of(call).remedy.empty());
}

TEST_CASE("what covers the capturing stream conflicts with it", "[capture][rules]") {
    CHECK(rule_of(CudaCall::kCapturingStreamSynchronize).call_class == CallClass::kConflict);
    CHECK(rule_of(CudaCall::kDeviceSynchronize).call_class == CallClass::kConflict);
    CHECK(rule_of(CudaCall::kCapturedEventSynchronize).call_class == CallClass::kCapturedEvent);
    CHECK(rule_of(CudaCall::kCapturedEventQuery).call_class == CallClass::kCapturedEvent);
}

TEST_CASE("mapping memory and replaying beside a capture are safe", "[capture][rules]") {
    CHECK(rule_of(CudaCall::kMapMemory).call_class == CallClass::kSafe);
    CHECK(rule_of(CudaCall::kGraphLaunch).call_class == CallClass::kSafe);
}

}  // namespace highwater
