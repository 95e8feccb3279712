// Calls beside a capture, by mode and thread: measured with PyTorch 2.11 on driver 580.
#include <array>

#include "tests/engine/capture_program.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;
using namespace captured;

namespace {

// What a call gives beside a capture, and whether it breaks the capture.
struct Outcome {
    int error = 0;
    bool breaks = false;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};
constexpr Outcome kOk{};
constexpr Outcome k900{900, true};
constexpr Outcome kBreaksSilently{0, true};

struct Case {
    std::string what;
    std::vector<Op> call;
    /// The capturing thread, another: in mode global, thread_local and relaxed.
    std::array<Outcome, 6> expected;
    std::string conf;
};

Outcome outcome(const Case& each, CaptureMode mode, ThreadId caller) {
    Program made = program(all_of({{op::Alloc{kA, 12_MiB, kSide},
                                    op::Free{kA},
                                    op::BeginCapture{kH, kThird, {}},
                                    op::EndCapture{kH},
                                    op::RecordEvent{kE, kSide},
                                    op::BeginCapture{kG, kOrigin, {}, mode},
                                    op::SwitchThread{caller}},
                                   tried("call", each.call),
                                   {op::SwitchThread{kMainThread}},
                                   tried("end", {op::EndCapture{kG}})}));
    made.machine.conf = each.conf;
    const Ledger ledger = run(made);
    const int end = error_in(ledger, "end");
    CHECK((end == 0 || end == 901));
    return {error_in(ledger, "call"), end == 901};
}

}  // namespace

TEST_CASE("beside a capture: the call, the mode and the thread decide", "[legality][threads]") {
    const auto each = GENERATE(values<Case>({
        {"memory that takes a cudaMalloc",
         {op::Alloc{kA, 100_MiB, kSide}},
         {k900, k900, k900, kOk, kOk, kOk},
         ""},
        {"the same on expandable segments",
         {op::Alloc{kA, 100_MiB, kSide}},
         {kOk, kOk, kOk, kOk, kOk, kOk},
         "expandable_segments:True"},
        {"memory from the cache",
         {op::Alloc{kA, 12_MiB, kSide}},
         {kOk, kOk, kOk, kOk, kOk, kOk},
         ""},
        {"memory for the capture",
         {op::Alloc{kA, 100_MiB, kOrigin}},
         {kOk, kOk, kOk, kOk, kOk, kOk},
         ""},
        {"synchronise with the device",
         {op::Synchronize{}},
         {k900, k900, k900, k900, k900, k900},
         ""},
        {"synchronise with the capturing stream",
         {op::Synchronize{kOrigin}},
         {k900, k900, k900, k900, k900, k900},
         ""},
        {"synchronise with another stream",
         {op::Synchronize{kSide}},
         {k900, k900, k900, kOk, kOk, kOk},
         ""},
        {".item() on another stream",
         {op::Copy{kSide, op::CopyKind::kDeviceToHost, true, 4_B, {}, {}}},
         {k900, k900, k900, kOk, kOk, kOk},
         ""},
        {"query an outside event", {op::QueryEvent{kE}}, {k900, k900, k900, kOk, kOk, kOk}, ""},
        {"query an event that was never recorded",
         {op::QueryEvent{kF}},
         {k900, k900, k900, kOk, kOk, kOk},
         ""},
        {"wait on the host for an outside event",
         {op::SynchronizeEvent{kE}},
         {k900, k900, k900, kOk, kOk, kOk},
         ""},
        {"another graph goes",
         {op::DestroyGraph{kH}},
         {kBreaksSilently, kBreaksSilently, kBreaksSilently, kOk, kOk, kOk},
         ""},
        {"another graph is replayed", {op::Replay{kH, kSide}}, {kOk, kOk, kOk, kOk, kOk, kOk}, ""},
        {"a kernel on another stream",
         {op::Kernel{kSide, {}, {}}},
         {kOk, kOk, kOk, kOk, kOk, kOk},
         ""},
        {"a kernel on the capturing stream",
         {op::Kernel{kOrigin, {}, {}}},
         {kOk, kOk, kOk, kOk, kOk, kOk},
         ""},
        {"empty the cache", {op::EmptyCache{}}, {kOk, kOk, kOk, kOk, kOk, kOk}, ""},
    }));
    INFO(each.what);
    std::size_t at = 0;
    for (const auto mode :
         {CaptureMode::kGlobal, CaptureMode::kThreadLocal, CaptureMode::kRelaxed}) {
        for (const ThreadId caller : {kMainThread, kSecond}) {
            INFO("mode " << static_cast<int>(mode) << ", thread " << index_of(caller));
            CHECK(outcome(each, mode, caller) == each.expected[at++]);
        }
    }
}

TEST_CASE("another thread ends only a relaxed capture", "[legality][threads]") {
    const auto [mode, second, owner, replay] = GENERATE(table<CaptureMode, int, int, int>({
        {CaptureMode::kGlobal, 908, 401, -1},
        {CaptureMode::kThreadLocal, 908, 401, -1},
    }));
    const Ledger ledger =
        run(program(all_of({{op::BeginCapture{kG, kOrigin, {}, mode}, op::SwitchThread{kSecond}},
                            tried("second", {op::EndCapture{kG}}),
                            {op::SwitchThread{kMainThread}},
                            tried("owner", {op::EndCapture{kG}}),
                            tried("replay", {op::Replay{kG, kOrigin}}),
                            {op::Synchronize{kOrigin}}})));
    CHECK(error_in(ledger, "second") == second);
    CHECK(error_in(ledger, "owner") == owner);
    CHECK(error_in(ledger, "replay") == replay);
    const Ledger relaxed = run(program({op::BeginCapture{kG, kOrigin, {}, CaptureMode::kRelaxed},
                                        op::SwitchThread{kSecond},
                                        op::EndCapture{kG},
                                        op::Replay{kG, kOrigin}}));
    CHECK_FALSE(relaxed.failure);
}

TEST_CASE("two threads capture side by side in mode thread_local", "[legality][threads]") {
    const Ledger ledger = run(program({op::BeginCapture{kG, kOrigin, {}, CaptureMode::kThreadLocal},
                                       op::Alloc{kA, 100_MiB, kOrigin},
                                       op::SwitchThread{kSecond},
                                       op::BeginCapture{kH, kSide, {}, CaptureMode::kThreadLocal},
                                       op::Alloc{kB, 100_MiB, kSide},
                                       op::EndCapture{kH},
                                       op::SwitchThread{kMainThread},
                                       op::EndCapture{kG}}));
    CHECK_FALSE(ledger.failure);
}

TEST_CASE("a blocking stream's capture forbids the default stream to all threads",
          "[legality][threads]") {
    const Ledger ledger =
        run(program(all_of({{op::BeginCapture{kG, kBlocking, {}, CaptureMode::kRelaxed},
                             op::Kernel{kBlocking, {}, {}},
                             op::SwitchThread{kSecond}},
                            tried("kernel", {op::Kernel{kDefaultStream, {}, {}}}),
                            {op::SwitchThread{kMainThread}},
                            tried("end", {op::EndCapture{kG}})})));
    CHECK(error_in(ledger, "kernel") == 906);
    CHECK(error_in(ledger, "end") == 901);
}

}  // namespace highwater
