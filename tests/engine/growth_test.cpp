// What was stranded when a pool last grew.
#include "sim/engine/run.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr std::uint32_t kSideStreams = 4;
constexpr StreamId kCapturing{1};

// In a capture, a tensor of 24 MiB on each side stream in turn, each freed before the next.
Program side_streams_in_capture(std::uint32_t streams_used) {
    Program p;
    p.machine.total_memory = 1_GiB;
    p.streams = {{"default", StreamHandle{0}}, {"capture", StreamHandle{1}}};
    p.events = {"fork", "join"};
    p.graphs = {"g"};
    p.ops = {op::BeginCapture{GraphId{0}, kCapturing, {}},
             op::RecordEvent{EventName{0}, kCapturing}};
    for (std::uint32_t i = 0; i < kSideStreams; ++i) {
        p.streams.push_back({"side" + std::to_string(i), StreamHandle{i + 2}});
        p.tensors.push_back("t" + std::to_string(i));
        const StreamId side{2 + i % streams_used};
        p.ops.insert(p.ops.end(),
                     {op::WaitEvent{side, EventName{0}},
                      op::Alloc{TensorId{i}, 24_MiB, side},
                      op::Kernel{side, {}, {TensorId{i}}},
                      op::Free{TensorId{i}},
                      op::RecordEvent{EventName{1}, side},
                      op::WaitEvent{kCapturing, EventName{1}}});
    }
    p.ops.emplace_back(op::EndCapture{GraphId{0}, {}});
    return p;
}

const PoolRow& pool_called(const Ledger& ledger, const std::string& name) {
    return *std::ranges::find(ledger.pools, name, &PoolRow::name);
}

}  // namespace

TEST_CASE("a graph's pool grows on each side stream while the others' blocks lie free",
          "[stranded]") {
    const Ledger ledger = run(side_streams_in_capture(kSideStreams));
    REQUIRE_FALSE(ledger.failure);
    const auto& growth = pool_called(ledger, "g").last_growth;
    REQUIRE(growth);
    CHECK(growth->requested == 24_MiB);
    CHECK(growth->stream == StreamId{1 + kSideStreams});
    CHECK(growth->stranded[StrandedReason::kOtherStream] == 72_MiB);
    CHECK(growth->stranded.usable == Bytes{});
}

TEST_CASE("with one side stream a graph's pool grows once", "[stranded]") {
    const Ledger ledger = run(side_streams_in_capture(1));
    const auto& growth = pool_called(ledger, "g").last_growth;
    REQUIRE(growth);
    CHECK(growth->stranded[StrandedReason::kOtherStream] == Bytes{});
    // The random generator's segment: its two tensors stay allocated, the rest is free.
    CHECK(growth->stranded[StrandedReason::kOtherPool] == 2_MiB - 1_KiB);
}

TEST_CASE("the driver's pool does not tell why it grows", "[stranded]") {
    Program program = side_streams_in_capture(1);
    program.machine.conf = "backend:cudaMallocAsync";
    const Ledger ledger = run(program);
    CHECK_FALSE(ledger.pools.front().last_growth);
}

}  // namespace highwater
