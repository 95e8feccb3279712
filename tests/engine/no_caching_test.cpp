// PYTORCH_NO_CUDA_MEMORY_CACHING=1.
#include "tests/engine/capture_program.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;
using namespace captured;

namespace {

Ledger run_uncached(std::vector<Op> ops) {
    Program made = program(std::move(ops));
    made.machine.caching = false;
    return run(made);
}

}  // namespace

TEST_CASE("without caching nothing is counted, kept or shared", "[no_caching]") {
    const Ledger ledger = run_uncached({op::Alloc{kA, 600_MiB, kOrigin},
                                        op::RecordStream{kA, kSide},
                                        op::Free{kA},
                                        op::Alloc{kB, 700_MiB, kSide},
                                        op::Alloc{kC, 1_B, kSide}});
    CHECK_FALSE(ledger.failure);
    CHECK(ledger.result == MemoryStats{});
    REQUIRE(ledger.placements.size() == 3);
    CHECK(ledger.placements[1].address != ledger.placements[2].address);
    CHECK(ledger.segments.empty());
}

TEST_CASE("without caching the device is the limit", "[no_caching]") {
    const Ledger ledger =
        run_uncached({op::Alloc{kA, 1_GiB, kOrigin}, op::Alloc{kB, 1_B, kOrigin}});
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->kind == Failure::Kind::kOutOfMemory);
    CHECK(ledger.failure->op == 1);
}

TEST_CASE("without caching every allocation breaks a capture that is not relaxed", "[no_caching]") {
    const auto [mode, alloc, end] = GENERATE(table<CaptureMode, int, int>({
        {CaptureMode::kGlobal, 900, 901},
        {CaptureMode::kThreadLocal, 900, 901},
        {CaptureMode::kRelaxed, 0, 0},
    }));
    const Ledger ledger = run_uncached(all_of({{op::BeginCapture{kG, kOrigin, {}, mode}},
                                               tried("first", {op::Alloc{kA, 1_MiB, kOrigin}}),
                                               tried("second", {op::Alloc{kB, 1_MiB, kOrigin}}),
                                               tried("end", {op::EndCapture{kG}})}));
    CHECK(error_in(ledger, "first") == alloc);
    CHECK(error_in(ledger, "second") == alloc);
    CHECK(error_in(ledger, "end") == end);
}

TEST_CASE("without caching a capture that allocates nothing is fine", "[no_caching]") {
    const Ledger ledger = run_uncached({op::Alloc{kA, 1_MiB, kOrigin},
                                        op::BeginCapture{kG, kOrigin, {}},
                                        op::Kernel{kOrigin, {kA}, {kA}},
                                        op::EndCapture{kG},
                                        op::Replay{kG, kOrigin},
                                        op::DestroyGraph{kG},
                                        op::Free{kA}});
    CHECK_FALSE(ledger.failure);
}

TEST_CASE("without caching a tensor that goes in a capture ends the process", "[no_caching]") {
    const Ledger ledger = run_uncached(all_of(
        {{op::Alloc{kA, 1_MiB, kOrigin}},
         tried("capture", {op::BeginCapture{kG, kOrigin, {}}, op::Free{kA}, op::EndCapture{kG}}),
         {op::Checkpoint{"after"}}}));
    CHECK(ledger.caught.empty());
    CHECK(ledger.checkpoints.empty());
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->op == 3);
    CHECK_THAT(ledger.failure->message, Catch::Matchers::ContainsSubstring("aborts"));
    CHECK_FALSE(ledger.failure->remedy.empty());
}

TEST_CASE("without caching an error that passes still ends the process when tensors go",
          "[no_caching]") {
    const Ledger ledger = run_uncached(all_of({tried("capture",
                                                     {op::Alloc{kA, 1_MiB, kOrigin},
                                                      op::BeginCapture{kG, kOrigin, {}},
                                                      op::Alloc{kB, 1_MiB, kOrigin},
                                                      op::Free{kA},
                                                      op::EndCapture{kG}}),
                                               {op::Checkpoint{"after"}}}));
    CHECK(error_in(ledger, "capture") == 900);
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->op == 4);
    CHECK(ledger.checkpoints.empty());
}

}  // namespace highwater
