// What a failed capture leaves behind: measured with PyTorch 2.11.
#include "sim/allocator/ascending_memory.hpp"
#include "sim/allocator/audit.hpp"
#include "sim/engine/executor.hpp"
#include "tests/engine/capture_program.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;
using namespace captured;

namespace {

constexpr int kOutOfMemory = -1;

const op::Copy kItem{kOrigin, op::CopyKind::kDeviceToHost, true, 4_B, {}, {}};

// 122 MiB reserved, of which 120 MiB are one tensor's; then a capture that allocates 200 MiB and
// reads a sum on the host.
std::vector<Op> failed_capture() {
    return all_of({{op::MakePoolHandle{kPool},
                    op::MakePoolHandle{kOtherPool},
                    op::Alloc{kA, 120_MiB, kDefaultStream},
                    op::Alloc{kC, 1_KiB, kDefaultStream},
                    op::Checkpoint{"before"}},
                   tried("capture",
                         {op::BeginCapture{kG, kOrigin, kPool},
                          op::Alloc{kB, 200_MiB, kOrigin},
                          op::Kernel{kOrigin, {kA}, {kB}},
                          kItem,
                          op::EndCapture{kG}}),
                   {op::Free{kA}, op::Free{kB}, op::Free{kC}, op::EmptyCache{}}});
}

Ledger run_after_failure(const std::vector<Op>& ops) {
    return run(program(all_of({failed_capture(), ops})));
}

}  // namespace

TEST_CASE("after a failed capture nothing can be given back any more", "[failed_capture]") {
    const Ledger ledger = run_after_failure({});
    CHECK(error_in(ledger, "capture") == 900);
    CHECK_FALSE(ledger.failure);
    CHECK(reserved_at(ledger, "before") == (122_MiB).count);
    // The generator's pair took a small segment on the capture's stream.
    CHECK(reserved(ledger) == (122_MiB + 200_MiB + 2_MiB).count);
    CHECK(ledger.result.requested_bytes.all.current == 16);
}

TEST_CASE("after a failed capture cached blocks are used again", "[failed_capture]") {
    const Ledger before = run_after_failure({});
    const Ledger after = run_after_failure({op::Alloc{kA, 32_MiB, kDefaultStream}});
    CHECK_FALSE(after.failure);
    CHECK(reserved(after) == reserved(before));
}

TEST_CASE("after a failed capture its pool cannot be captured into, another can",
          "[failed_capture]") {
    const Ledger ledger =
        run_after_failure(all_of({tried("same pool", {op::BeginCapture{kH, kOrigin, kPool}}),
                                  {op::DestroyGraph{kH},
                                   op::Checkpoint{"before"},
                                   op::BeginCapture{kH, kOrigin, kOtherPool},
                                   op::Alloc{kA, 1_KiB, kOrigin},
                                   op::EndCapture{kH},
                                   op::Replay{kH, kOrigin}}}));
    const Failure* refused = caught(ledger, "same pool");
    REQUIRE(refused != nullptr);
    CHECK_THAT(refused->message, Catch::Matchers::ContainsSubstring("already recording"));
    CHECK_FALSE(refused->remedy.empty());
    CHECK_FALSE(ledger.failure);
    CHECK(reserved(ledger) == reserved(run_after_failure({})) + (2_MiB).count);
}

TEST_CASE("after a failed capture a block used on a side stream is never reused",
          "[failed_capture]") {
    const std::vector<Op> twice{op::Alloc{kA, 64_MiB, kSide},
                                op::RecordStream{kA, kThird},
                                op::Free{kA},
                                op::Synchronize{},
                                op::Alloc{kB, 64_MiB, kSide}};
    const Ledger fresh = run(program(twice));
    const Ledger after = run_after_failure(twice);
    CHECK(reserved(fresh) == (64_MiB).count);
    CHECK(reserved(after) - reserved(run_after_failure({})) == (128_MiB).count);
}

TEST_CASE("destroying the graph of a failed capture gives nothing back", "[failed_capture]") {
    const Ledger ledger = run_after_failure({op::DestroyGraph{kG}, op::EmptyCache{}});
    CHECK_FALSE(ledger.failure);
    CHECK(reserved(ledger) == reserved(run_after_failure({})));
    // The generator's pair goes with the last graph.
    CHECK(ledger.result.allocated_bytes.all.current == 0);
}

TEST_CASE("the graph of a failed capture cannot be replayed", "[failed_capture]") {
    const Ledger ledger = run_after_failure({op::Replay{kG, kOrigin}});
    REQUIRE(ledger.failure);
    CHECK_FALSE(ledger.failure->cuda_error);
    CHECK_FALSE(ledger.failure->remedy.empty());
}

TEST_CASE("in a broken capture allocations fail too, and say what broke it", "[failed_capture]") {
    const Ledger ledger = run(program(all_of({{op::BeginCapture{kG, kOrigin, {}}},
                                              tried("item", {kItem}),
                                              tried("alloc", {op::Alloc{kA, 1_KiB, kOrigin}})})));
    CHECK(error_in(ledger, "item") == 900);
    CHECK(error_in(ledger, "alloc") == 901);
    CHECK_THAT(caught(ledger, "alloc")->message,
               Catch::Matchers::ContainsSubstring(caught(ledger, "item")->message));
}

TEST_CASE("an unjoined capture leaves its pool in use", "[failed_capture]") {
    const Ledger ledger = run(program(all_of(
        {{op::MakePoolHandle{kPool}},
         tried("capture",
               all_of({{op::BeginCapture{kG, kOrigin, kPool}, op::Alloc{kA, 12_MiB, kOrigin}},
                       wait_stream(kSide, kOrigin),
                       {op::Kernel{kSide, {}, {}}, op::EndCapture{kG}}})),
         {op::Free{kA}, op::DestroyGraph{kG}, op::EmptyCache{}}})));
    CHECK(error_in(ledger, "capture") == 904);
    CHECK(reserved(ledger) == (12_MiB + 2_MiB).count);
}

TEST_CASE("what comes behind a broken capture names the operation that broke it",
          "[failed_capture]") {
    const Ledger ledger = run(program(all_of({{op::BeginCapture{kH, kOrigin, {}},
                                               op::EndCapture{kH},
                                               op::BeginCapture{kG, kOrigin, {}},
                                               op::DestroyGraph{kH}},
                                              tried("kernel", {op::Kernel{kOrigin, {}, {}}}),
                                              {op::EndCapture{kG}}})));
    constexpr std::size_t kDestroys = 3;
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->cause == kDestroys);
    CHECK_THAT(ledger.failure->message, Catch::Matchers::ContainsSubstring("graph `h` is reset"));
    REQUIRE(caught(ledger, "kernel") != nullptr);
    CHECK(caught(ledger, "kernel")->cause == kDestroys);
}

TEST_CASE("a graph whose capture has failed may be captured again", "[failed_capture]") {
    const std::vector<Op> failing{op::BeginCapture{kG, kOrigin, {}}, kItem, op::EndCapture{kG}};
    const Ledger ledger = run(program(all_of({tried("first", failing),
                                              {op::BeginCapture{kG, kOrigin, {}},
                                               op::EndCapture{kG},
                                               op::Replay{kG, kOrigin},
                                               op::DestroyGraph{kG}}})));
    CHECK(error_in(ledger, "first") == 900);
    CHECK_FALSE(ledger.failure);
    // The generator counts the graph once.
    CHECK(ledger.result.requested_bytes.all.current == 0);
}

TEST_CASE("an error that is not CUDA's lets the capture end well", "[failed_capture]") {
    const Ledger ledger = run(program(all_of({{op::MakePoolHandle{kPool}},
                                              tried("capture",
                                                    {op::BeginCapture{kG, kOrigin, kPool},
                                                     op::Kernel{kOrigin, {}, {}},
                                                     op::Alloc{kA, 4096_GiB, kOrigin},
                                                     op::EndCapture{kG}}),
                                              {op::Replay{kG, kOrigin},
                                               op::BeginCapture{kH, kOrigin, kPool},
                                               op::EndCapture{kH},
                                               op::DestroyGraph{kG},
                                               op::DestroyGraph{kH},
                                               op::EmptyCache{}}})));
    REQUIRE(caught(ledger, "capture") != nullptr);
    CHECK(caught(ledger, "capture")->kind == Failure::Kind::kOutOfMemory);
    CHECK_FALSE(ledger.failure);
    CHECK(reserved(ledger) == 0);
}

TEST_CASE("giving back an oversize block for a retry breaks the capture", "[failed_capture]") {
    const auto [mode, error, end] = GENERATE(table<CaptureMode, int, int>({
        {CaptureMode::kGlobal, 900, 901},
        {CaptureMode::kThreadLocal, 900, 901},
        {CaptureMode::kRelaxed, kOutOfMemory, 0},
    }));
    Program made = program(all_of(
        {{op::BeginCapture{kG, kOrigin, {}, mode}, op::Alloc{kA, 600_MiB, kOrigin}, op::Free{kA}},
         tried("retry", {op::Alloc{kA, 700_MiB, kOrigin}}),
         tried("end", {op::EndCapture{kG}}),
         {op::Alloc{kB, 12_MiB, kSide}}}));
    made.machine.conf = "max_split_size_mb:21";
    const Ledger ledger = run(made);
    CHECK(error_in(ledger, "retry") == error);
    CHECK(error_in(ledger, "end") == end);
    CHECK_FALSE(ledger.failure);
    // What was given back was too little for the request all the same.
    const Bytes kept = error == kOutOfMemory ? 0_B : 600_MiB;
    CHECK(reserved(ledger) == (kept + 12_MiB + 2_MiB).count);
}

TEST_CASE("a refused cudaFree leaves the block in the cache", "[failed_capture]") {
    Program made = program({op::BeginCapture{kG, kOrigin, {}},
                            op::Alloc{kA, 600_MiB, kOrigin},
                            op::Free{kA},
                            op::Alloc{kA, 700_MiB, kOrigin}});
    made.machine.conf = "max_split_size_mb:21";
    AscendingMemory memory(made.machine.total_memory);
    Executor executor(made, memory);
    for (std::size_t i = 0; i + 1 < made.ops.size(); ++i) {
        executor.step(i);
    }
    CHECK_THROWS_AS(executor.step(made.ops.size() - 1), PredictedError);
    CHECK(allocator::audit(executor.allocator().state()).empty());
    CHECK(executor.allocator().stats().reserved_bytes.all.current == (602_MiB).count);
}

TEST_CASE("a refused cudaFree is not in the history", "[failed_capture]") {
    Program made = program(
        all_of({{op::BeginCapture{kG, kOrigin, {}}, op::Alloc{kA, 600_MiB, kOrigin}, op::Free{kA}},
                tried("retry", {op::Alloc{kA, 700_MiB, kOrigin}})}));
    made.machine.conf = "max_split_size_mb:21";
    RunHistory history;
    RunOptions options;
    options.history = &history;
    const Ledger ledger = run(made, options);
    CHECK(error_in(ledger, "retry") == 900);
    std::uint64_t held = 0;
    for (const TraceEvent& event : history.events) {
        held += event.kind == TraceEvent::Kind::kSegmentAlloc ? event.size.count : 0;
        CHECK(event.kind != TraceEvent::Kind::kSegmentFree);
    }
    CHECK(held == ledger.result.reserved_bytes.all.current);
    // PyTorch counts the call.
    CHECK(ledger.result.num_device_free == 1);
}

}  // namespace highwater
