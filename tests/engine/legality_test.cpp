// What a program may do in a capture and beside it: measured with PyTorch 2.11 on driver 580.
#include "tests/engine/capture_program.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;
using namespace captured;

namespace {

constexpr int kPyTorchRefuses = -1;

struct Case {
    std::string what;
    std::vector<Op> before;
    std::vector<Op> in_capture;
    /// What the operations give, and the end of the capture after them.
    int error = 0;
    int end = 0;
    std::vector<Op> after{};
};

// What it does, and the capture's end, each tried; then all that must work whatever happened.
Ledger run_case(const Case& each, CaptureMode mode = CaptureMode::kGlobal) {
    return run(
        program(all_of({each.before,
                        {op::BeginCapture{kG, kOrigin, {}, mode}, op::Kernel{kOrigin, {}, {}}},
                        tried("body", each.in_capture),
                        tried("end", {op::EndCapture{kG}}),
                        each.after,
                        {op::Kernel{kOrigin, {}, {}},
                         op::Kernel{kSide, {}, {}},
                         op::Synchronize{},
                         op::BeginCapture{kLast, kThird, kOtherPool},
                         op::Kernel{kThird, {}, {}},
                         op::EndCapture{kLast},
                         op::Replay{kLast, kThird}}})));
}

const std::vector<Op> kPools{op::MakePoolHandle{kPool}, op::MakePoolHandle{kOtherPool}};

}  // namespace

TEST_CASE("the capture's structure: errors, and what its end says", "[legality]") {
    const auto each = GENERATE(values<Case>({
        {"wait for work from outside", kPools, wait_stream(kOrigin, kSide), 905, 901},
        {"wait for an event that was recorded before",
         all_of({kPools, {op::RecordEvent{kE, kSide}}}),
         {op::WaitEvent{kOrigin, kE}},
         905,
         901},
        {"wait for an event that was never recorded", kPools, {op::WaitEvent{kOrigin, kF}}, 0, 0},
        {"an event that was captured, then recorded outside",
         kPools,
         all_of({wait_stream(kSide, kOrigin),
                 wait_stream(kOrigin, kSide),
                 {op::RecordEvent{kE, kThird}, op::WaitEvent{kOrigin, kE}}}),
         905,
         901},
        {"an outside event recorded anew in the capture",
         all_of({kPools, {op::RecordEvent{kE, kSide}}}),
         wait_stream(kSide, kOrigin),
         0,
         0},
        {"merge",
         kPools,
         all_of({{op::BeginCapture{kH, kSide, kPool}}, wait_stream(kSide, kOrigin)}),
         902,
         901,
         tried("other end", {op::EndCapture{kH}})},
        {"begin on a stream that captures", kPools, {op::BeginCapture{kH, kOrigin, kPool}}, 401, 0},
        {"a fork whose work is not joined",
         kPools,
         all_of({wait_stream(kSide, kOrigin), {op::Kernel{kSide, {}, {}}}}),
         0,
         904},
        {"a fork without work", kPools, wait_stream(kSide, kOrigin), 0, 0},
        {"work after the join",
         kPools,
         all_of({wait_stream(kSide, kOrigin),
                 wait_stream(kOrigin, kSide),
                 {op::Kernel{kSide, {}, {}}}}),
         0,
         904},
        {"the default stream waits for the capture",
         kPools,
         wait_stream(kDefaultStream, kOrigin),
         906,
         901},
        {"the default stream after a blocking stream joined",
         kPools,
         all_of({wait_stream(kBlocking, kOrigin), {op::Kernel{kDefaultStream, {}, {}}}}),
         906,
         901},
        {"the default stream beside it",
         kPools,
         {op::Kernel{kDefaultStream, {}, {}}, op::RecordEvent{kE, kDefaultStream}},
         0,
         0},
        {"another blocking stream beside it", kPools, {op::Kernel{kBlocking, {}, {}}}, 0, 0},
        {"query a captured event",
         kPools,
         {op::RecordEvent{kE, kOrigin}, op::QueryEvent{kE}},
         907,
         901},
        {"wait on the host for a captured event",
         kPools,
         {op::RecordEvent{kE, kOrigin}, op::SynchronizeEvent{kE}},
         907,
         901},
        {".item()",
         kPools,
         {op::Copy{kOrigin, op::CopyKind::kDeviceToHost, true, 4_B, {}, {}}},
         900,
         901},
        {"synchronise with the stream", kPools, {op::Synchronize{kOrigin}}, 900, 901},
        {"synchronise with the device", kPools, {op::Synchronize{}}, 900, 901},
        {"a host function and a copy",
         kPools,
         {op::HostFunction{kOrigin},
          op::Copy{kOrigin, op::CopyKind::kHostToDevice, false, 4_B, {}, {}}},
         0,
         0},
        {"empty the cache", kPools, {op::EmptyCache{}}, 0, 0},
        {"end on another stream", kPools, {op::EndCapture{kG, kSide}}, kPyTorchRefuses, 0},
        {"replay the graph itself", kPools, {op::Replay{kG, kSide}}, kPyTorchRefuses, 0},
        {"a capture on the default stream",
         kPools,
         {op::BeginCapture{kH, kDefaultStream, kPool}, op::EndCapture{kH}},
         kPyTorchRefuses,
         0},
        {"out of memory", kPools, {op::Alloc{kA, 2_GiB, kOrigin}}, kPyTorchRefuses, 0},
    }));
    const auto mode =
        GENERATE(CaptureMode::kGlobal, CaptureMode::kThreadLocal, CaptureMode::kRelaxed);
    INFO(each.what);
    const Ledger ledger = run_case(each, mode);
    CHECK_FALSE(ledger.failure);
    CHECK(error_in(ledger, "body") == each.error);
    CHECK(error_in(ledger, "end") == each.end);
    CHECK(error_in(ledger, "other end") == (each.after.empty() ? 0 : 901));
}

TEST_CASE("a wait for work outside a capture says for which, and how it joins", "[legality]") {
    const Ledger ledger = run(program({op::RecordEvent{kE, kSide},
                                       op::BeginCapture{kG, kOrigin, {}},
                                       op::WaitEvent{kOrigin, kE}}));
    REQUIRE(ledger.failure);
    CHECK_THAT(ledger.failure->message,
               Catch::Matchers::ContainsSubstring("event `e`, recorded on stream `side`"));
    CHECK_THAT(ledger.failure->remedy,
               Catch::Matchers::ContainsSubstring("`wait: {stream: side, for: current}`"));
}

TEST_CASE("a wait for the default stream in a capture is not told to let it join", "[legality]") {
    const Ledger ledger = run(program({op::RecordEvent{kE, kDefaultStream},
                                       op::BeginCapture{kG, kOrigin, {}},
                                       op::WaitEvent{kOrigin, kE}}));
    REQUIRE(ledger.failure);
    CHECK_THAT(ledger.failure->remedy,
               Catch::Matchers::StartsWith("wait for it before the capture begins") &&
                   !Catch::Matchers::ContainsSubstring("for: current"));
}

TEST_CASE("what PyTorch itself refuses says what to do", "[legality]") {
    const Ledger ledger =
        run(program({op::BeginCapture{kG, kOrigin, {}}, op::EndCapture{kG, kSide}}));
    REQUIRE(ledger.failure);
    CHECK_FALSE(ledger.failure->cuda_error);
    CHECK_THAT(ledger.failure->message, Catch::Matchers::ContainsSubstring("`origin`"));
    CHECK_FALSE(ledger.failure->remedy.empty());
}

TEST_CASE("a MemPool that goes in a capture says what to do", "[legality]") {
    const Ledger ledger = run(program(
        {op::CreatePool{kPool}, op::BeginCapture{kG, kOrigin, {}}, op::DestroyPool{kPool}}));
    REQUIRE(ledger.failure);
    CHECK_FALSE(ledger.failure->remedy.empty());
}

TEST_CASE("what cudaMallocAsync lacks says what to do", "[legality]") {
    const std::vector<Op> ops = GENERATE(values<std::vector<Op>>({
        {op::CreatePool{kPool}},
        {op::MakePoolHandle{kPool}, op::SavePool{kPool, "s"}},
        {op::BeginCapture{kG, kOrigin, {}}, op::BeginCapture{kH, kSide, {}}},
    }));
    Program made = program(ops);
    made.machine.conf = "backend:cudaMallocAsync";
    const Ledger ledger = run(made);
    REQUIRE(ledger.failure);
    CHECK_FALSE(ledger.failure->remedy.empty());
}

TEST_CASE("a replay on a capturing stream is refused and harms nothing", "[legality]") {
    const Ledger ledger = run(program(all_of(
        {{op::BeginCapture{kH, kOrigin, {}}, op::EndCapture{kH}, op::BeginCapture{kG, kOrigin, {}}},
         tried("replay", {op::Replay{kH, kOrigin}}),
         {op::Replay{kH, kSide}, op::EndCapture{kG}}})));
    CHECK(error_in(ledger, "replay") == kPyTorchRefuses);
    CHECK_FALSE(ledger.failure);
}

TEST_CASE("an event of a capture that has ended cannot be used until it is recorded anew",
          "[legality]") {
    const std::vector<Op> use = GENERATE(values<std::vector<Op>>({
        {op::QueryEvent{kE}},
        {op::SynchronizeEvent{kE}},
        {op::WaitEvent{kSide, kE}},
    }));
    const Ledger ledger = run(program(all_of(
        {{op::BeginCapture{kG, kOrigin, {}}, op::RecordEvent{kE, kOrigin}, op::EndCapture{kG}},
         tried("before", use),
         {op::Replay{kG, kOrigin}},
         tried("after a replay", use),
         {op::RecordEvent{kE, kOrigin}},
         tried("recorded anew", use)})));
    CHECK(error_in(ledger, "before") == 1);
    CHECK(error_in(ledger, "after a replay") == 1);
    CHECK(error_in(ledger, "recorded anew") == 0);
}

TEST_CASE("a capture that waits for an event of one before it breaks", "[legality]") {
    const Ledger ledger = run(program(all_of({{op::BeginCapture{kG, kOrigin, {}},
                                               op::RecordEvent{kE, kOrigin},
                                               op::EndCapture{kG},
                                               op::BeginCapture{kH, kOrigin, {}}},
                                              tried("wait", {op::WaitEvent{kOrigin, kE}}),
                                              tried("end", {op::EndCapture{kH}})})));
    CHECK(error_in(ledger, "wait") == 1);
    CHECK(error_in(ledger, "end") == 901);
}

TEST_CASE("fork and join are legal when every launch blocks", "[legality]") {
    Program made = program(all_of({{op::BeginCapture{kG, kOrigin, {}}, op::Kernel{kOrigin, {}, {}}},
                                   wait_stream(kSide, kOrigin),
                                   {op::Kernel{kSide, {}, {}}},
                                   wait_stream(kOrigin, kSide),
                                   {op::EndCapture{kG}, op::Replay{kG, kOrigin}}}));
    made.machine.blocking_launches = true;
    const Ledger ledger = run(made);
    CHECK_FALSE(ledger.failure);
    REQUIRE(ledger.graphs.size() == 1);
    CHECK(ledger.graphs[0].nodes == 2);
}

TEST_CASE("ending one capture of a thread beside another breaks the other", "[legality]") {
    const auto [mode, error, end] = GENERATE(table<CaptureMode, int, int>({
        {CaptureMode::kGlobal, 900, 901},
        {CaptureMode::kThreadLocal, 900, 901},
        {CaptureMode::kRelaxed, 0, 0},
    }));
    const Ledger ledger = run(program(
        all_of({{op::BeginCapture{kG, kOrigin, {}, mode}, op::BeginCapture{kH, kSide, {}, mode}},
                tried("first", {op::EndCapture{kH}}),
                tried("second", {op::EndCapture{kG}}),
                tried("replay", {op::Replay{kH, kSide}})})));
    CHECK(error_in(ledger, "first") == error);
    CHECK(error_in(ledger, "second") == end);
    CHECK(error_in(ledger, "replay") == (error == 0 ? 0 : kPyTorchRefuses));
}

}  // namespace highwater
