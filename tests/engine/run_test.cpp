#include "sim/engine/run.hpp"

#include <limits>

#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

Program program(std::vector<Op> ops) {
    Program result;
    result.machine.total_memory = 64_MiB;
    result.streams = {{"default", StreamHandle{0}},
                      {"capture", StreamHandle{0x10}},
                      {"side", StreamHandle{0x20}}};
    result.tensors = {"a", "b"};
    result.events = {"e"};
    result.graphs = {"g", "h"};
    result.pools = {"p"};
    result.ops = std::move(ops);
    return result;
}

constexpr TensorId kA{0};
constexpr TensorId kB{1};
constexpr StreamId kCaptureStream{1};
constexpr StreamId kSide{2};
constexpr GraphId kG{0};
constexpr GraphId kH{1};
constexpr PoolName kPool{0};

std::uint64_t reserved(const Ledger& ledger) {
    return ledger.result.reserved_bytes.all.current;
}

std::string problem(std::vector<Op> ops) {
    try {
        run(program(std::move(ops)));
    } catch (const InputError& error) {
        return error.problem();
    }
    return "";
}

}  // namespace

TEST_CASE("a checkpoint notes the counters of its moment", "[run]") {
    const Ledger ledger = run(program({op::Alloc{kA, 3_MiB, kDefaultStream},
                                       op::Checkpoint{"held"},
                                       op::Free{kA},
                                       op::Checkpoint{"freed"}}));
    REQUIRE(ledger.checkpoints.size() == 2);
    CHECK(ledger.checkpoints[0].name == "held");
    CHECK(ledger.checkpoints[0].stats.allocated_bytes.all.current == (3_MiB).count);
    CHECK(ledger.checkpoints[0].placements == 1);
    CHECK(ledger.checkpoints[1].stats.allocated_bytes.all.current == 0);
    CHECK_FALSE(ledger.failure);
}

TEST_CASE("the first graph alive brings two 8-byte tensors on the capture stream", "[run][graph]") {
    const Ledger one = run(program({op::BeginCapture{kG, kCaptureStream, std::nullopt},
                                    op::EndCapture{kG},
                                    op::Checkpoint{"one"},
                                    op::BeginCapture{kH, kCaptureStream, std::nullopt},
                                    op::EndCapture{kH},
                                    op::Checkpoint{"two"},
                                    op::DestroyGraph{kG},
                                    op::Checkpoint{"one left"},
                                    op::DestroyGraph{kH}}));
    for (const CheckpointRow& row : one.checkpoints) {
        CHECK(row.stats.requested_bytes.all.current == 16);
    }
    CHECK(one.result.requested_bytes.all.current == 0);
    CHECK(one.pools[0].id == kDefaultPoolId);
    CHECK(one.pools[0].streams[0].stream == kCaptureStream);
}

TEST_CASE("graphs without a pool have ids (n, 0), handles and MemPools (0, n)", "[run][graph]") {
    const Ledger ledger = run(program({op::MakePoolHandle{kPool},
                                       op::BeginCapture{kG, kCaptureStream, kPool},
                                       op::EndCapture{kG},
                                       op::BeginCapture{kH, kCaptureStream, std::nullopt},
                                       op::EndCapture{kH}}));
    REQUIRE(ledger.pools.size() == 3);
    CHECK(ledger.pools[1].id == PoolId{0, 1});
    CHECK(ledger.pools[1].name == "p");
    CHECK(ledger.pools[2].id == PoolId{1, 0});
    CHECK(ledger.pools[2].name == "h");
}

TEST_CASE("pools report what they hold, held at most, and by stream", "[run][pools]") {
    const Ledger ledger = run(program({op::BeginCapture{kG, kCaptureStream, std::nullopt},
                                       op::Alloc{kA, 12_MiB, kCaptureStream},
                                       op::RecordEvent{EventName{0}, kCaptureStream},
                                       op::WaitEvent{kSide, EventName{0}},
                                       op::Alloc{kB, 14_MiB, kSide},
                                       op::Free{kB},
                                       op::EndCapture{kG},
                                       op::Free{kA},
                                       op::DestroyGraph{kG},
                                       op::EmptyCache{}}));
    REQUIRE(ledger.pools.size() == 2);
    CHECK(ledger.pools[1].reserved == 0_B);
    CHECK(ledger.pools[1].high_water == 26_MiB);
    REQUIRE(ledger.pools[1].streams.size() == 2);
    CHECK(ledger.pools[1].streams[1].high_water == 14_MiB);
}

TEST_CASE("out of memory ends the run and says at which operation", "[run][oom]") {
    const Ledger ledger = run(program({op::Alloc{kA, 60_MiB, kDefaultStream},
                                       op::Alloc{kB, 10_MiB, kDefaultStream},
                                       op::Checkpoint{"never"}}));
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->kind == Failure::Kind::kOutOfMemory);
    CHECK(ledger.failure->op == 1);
    CHECK_THAT(ledger.failure->message, Catch::Matchers::ContainsSubstring("out of memory"));
    CHECK(ledger.checkpoints.empty());
    CHECK(reserved(ledger) == (60_MiB).count);
}

TEST_CASE("what PyTorch would refuse ends the run", "[run][graph]") {
    const auto [ops, message] = GENERATE(table<std::vector<Op>, std::string>({
        {{op::BeginCapture{kG, kDefaultStream, std::nullopt}}, "non-default stream"},
        {{op::BeginCapture{kG, kCaptureStream, std::nullopt}, op::Synchronize{}}, "synchronises"},
        {{op::HoldStream{kSide}, op::Synchronize{}}, "never go on"},
        {{op::SetAllocatorSettings{"max_split_size_mb:1"}}, "max_split_size_mb"},
        {{op::MakePoolHandle{kPool},
          op::BeginCapture{kG, kCaptureStream, kPool},
          op::BeginCapture{kH, kSide, kPool}},
         "already recording"},
    }));
    const Ledger ledger = run(program(ops));
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->kind == Failure::Kind::kPyTorchError);
    CHECK(ledger.failure->op == ops.size() - 1);
    CHECK_THAT(ledger.failure->message, Catch::Matchers::ContainsSubstring(message));
}

TEST_CASE("a host that waits for a held stream, or for one that waits for it, is told what to do",
          "[run]") {
    const std::vector<Op> ops = GENERATE(values<std::vector<Op>>({
        {op::HoldStream{kSide}, op::Synchronize{kSide}},
        {op::HoldStream{kSide},
         op::Kernel{kSide, {}, {}},
         op::RecordEvent{EventName{0}, kSide},
         op::WaitEvent{kCaptureStream, EventName{0}},
         op::Synchronize{kCaptureStream}},
    }));
    const Ledger ledger = run(program(ops));
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->op == ops.size() - 1);
    CHECK_THAT(ledger.failure->remedy, Catch::Matchers::ContainsSubstring("release"));
}

TEST_CASE("a capture that ends unjoined ends the run", "[run][graph]") {
    Program failing = program({op::Alloc{kA, 12_MiB, kDefaultStream},
                               op::BeginCapture{kG, kCaptureStream, std::nullopt},
                               op::RecordEvent{EventName{0}, kCaptureStream},
                               op::WaitEvent{kSide, EventName{0}},
                               op::Kernel{kSide, {}, {}},
                               op::EndCapture{kG}});
    const Ledger ledger = run(failing);
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->op == 5);
}

TEST_CASE("a program that contradicts itself is bad input", "[run][errors]") {
    CHECK(problem({op::Free{kA}}) == "tensor `a` is not allocated here");
    CHECK(problem({op::Alloc{kA, 1_B, {}}, op::Free{kA}, op::Free{kA}}) ==
          "tensor `a` is not allocated here");
    CHECK(problem({op::Alloc{kA, 1_B, {}}, op::Alloc{kA, 1_B, {}}}) ==
          "tensor `a` is allocated already");
    CHECK(problem({op::RecordStream{kA, kSide}}) == "tensor `a` is not allocated here");
    CHECK(problem({op::Kernel{kSide, {kA}, {}}}) == "tensor `a` is not allocated here");
    CHECK(problem({op::EndCapture{kG}}) == "graph `g` is not being captured");
    CHECK(problem({op::Replay{kG, kSide}}) == "graph `g` has not been captured");
    CHECK(problem({op::DestroyGraph{kG}}) == "graph `g` cannot be destroyed here");
    CHECK(problem({op::EnterPool{kPool}}) == "pool `p` does not exist here");
    CHECK(problem({op::CreatePool{kPool}, op::CreatePool{kPool}}) == "pool `p` exists already");
}

TEST_CASE("an id that no table names is bad input, not a crash", "[run][errors]") {
    CHECK(problem({op::Free{TensorId{7}}}) == "the operation names tensor 7 of 2");
    CHECK(problem({op::Alloc{kA, 1_B, StreamId{9}}}) == "the operation names stream 9 of 3");
    CHECK(problem({op::Replay{GraphId{2}, kSide}}) == "the operation names graph 2 of 2");
    CHECK(problem({op::EnterPool{PoolName{1}}}) == "the operation names pool 1 of 1");
    CHECK(problem({op::WaitEvent{kSide, EventName{1}}}) == "the operation names event 1 of 1");
}

TEST_CASE("a machine that cannot be is bad input", "[run][errors]") {
    const auto change = GENERATE(values<void (*)(Machine&)>({
        [](Machine& m) { m.total_memory = Bytes{UINT64_MAX}; },
        [](Machine& m) { m.memory_fraction = -0.5; },
        [](Machine& m) { m.memory_fraction = std::numeric_limits<double>::quiet_NaN(); },
        [](Machine& m) { m.conf = "max_split_size_mb:1"; },
    }));
    Program wrong = program({});
    change(wrong.machine);
    CHECK_THROWS_AS(run(wrong), InputError);
}

TEST_CASE("two Program streams of one handle are bad input", "[run][errors]") {
    Program wrong = program({});
    wrong.streams.push_back(wrong.streams[1]);
    CHECK_THROWS_AS(run(wrong), InputError);
}

TEST_CASE("a tensor of 0 bytes has no block and can be freed", "[run]") {
    const Ledger ledger = run(
        program({op::Alloc{kA, 0_B, kDefaultStream}, op::RecordStream{kA, kSide}, op::Free{kA}}));
    CHECK_FALSE(ledger.failure);
    CHECK(ledger.placements[0].address == Address{0});
}

TEST_CASE("the same program gives the same ledger", "[run]") {
    const Program twice = program({op::BeginCapture{kG, kCaptureStream, std::nullopt},
                                   op::Alloc{kA, 12_MiB, kCaptureStream},
                                   op::EndCapture{kG}});
    CHECK(run(twice) == run(twice));
}

}  // namespace highwater
