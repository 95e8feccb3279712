// Communicators, and what the processes of a Program do together.
#include <algorithm>

#include "sim/engine/program_text.hpp"
#include "sim/engine/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamId kSide{1};
constexpr GraphId kG{0};
constexpr TensorId kX{0};
const op::MakeCommunicator kRing{"ring", "a test", 100_MiB, 20_MiB, 4_MiB, 8_MiB};

Program program(std::vector<Op> ops) {
    Program p;
    p.machine.total_memory = 1_GiB;
    p.streams = {{"default", StreamHandle{0}}, {"side", StreamHandle{1}}};
    p.tensors = {"x"};
    p.graphs = {"g"};
    p.ops = {op::Alloc{kX, 1_MiB, kSide}, kRing};
    p.ops.insert(p.ops.end(), ops.begin(), ops.end());
    return p;
}

op::AllReduce reduce(Duration duration = {}) {
    return {kX, "ring", kSide, duration, 1};
}

std::optional<DriverTerm> ring_of(const Ledger& ledger) {
    const auto found = std::ranges::find(ledger.driver.value(), "ring", &DriverTerm::name);
    return found == ledger.driver->end() ? std::nullopt : std::optional(*found);
}

Bytes taken_after(std::vector<Op> ops) {
    return ring_of(run(program(std::move(ops)))).value().bytes;
}

}  // namespace

TEST_CASE("a communicator takes memory as it is made, and more with its first collective",
          "[collectives]") {
    const DriverTerm made = ring_of(run(program({}))).value();
    CHECK(made.what == DriverTerm::What::kCollective);
    CHECK(made.bytes == kRing.size);
    CHECK(made.error == kRing.error);
    CHECK(taken_after({reduce()}) == kRing.size + kRing.first_use);
    CHECK(taken_after({reduce(), reduce()}) == kRing.size + kRing.first_use);
}

TEST_CASE("each collective that is captured takes memory of its own", "[collectives]") {
    const std::vector<Op> captured{
        op::BeginCapture{kG, kSide, {}}, reduce(), reduce(), op::EndCapture{kG, {}}};
    const Bytes all = kRing.size + kRing.first_use + kRing.captured * 2;
    CHECK(taken_after(captured) == all);
    std::vector<Op> replayed = captured;
    replayed.insert(replayed.end(), {op::Replay{kG, kSide}, op::Replay{kG, kSide}});
    CHECK(taken_after(replayed) == all);
    const Ledger ledger = run(program(captured));
    CHECK(ledger.graphs.at(0).nodes == 2);
}

TEST_CASE("what a communicator has is not to be had by others, until it is given back",
          "[collectives]") {
    const Op rest = op::Alloc{kX, 940_MiB, kSide};
    CHECK(run(program({op::Free{kX}, op::EmptyCache{}, rest})).failure);
    CHECK_FALSE(run(program({op::Free{kX}, op::EmptyCache{}, op::RemoveDriverMemory{"ring"}, rest}))
                    .failure);
    op::MakeCommunicator large = kRing;
    large.name = "large";
    large.size = 1_GiB;
    const Ledger full = run(program({large}));
    REQUIRE(full.failure);
    CHECK(full.failure->cuda_error == CudaError::kMemoryAllocation);
}

TEST_CASE("a collective lasts as long as it says, in its stream", "[collectives]") {
    CostProfile costs;
    costs.times.card.kernel_base = Duration{1};
    RunOptions options;
    options.costs = &costs;
    const auto end_of = [&](std::vector<Op> ops) {
        return run(program(std::move(ops)), options).times.value().end;
    };
    const Duration length = std::chrono::microseconds(70);
    CHECK(end_of({reduce(length), reduce(length), op::Synchronize{}}) -
              end_of({op::Synchronize{}}) ==
          2 * length);
}

TEST_CASE("a communicator is made once and before it is used", "[collectives]") {
    CHECK_THROWS_AS(run(program({kRing})), InputError);
    CHECK_THROWS_AS(run(program({op::RemoveDriverMemory{"ring"}, reduce()})), InputError);
    CHECK_THROWS_AS(run(program({op::AllReduce{kX, "rung", kSide}})), InputError);
    CHECK_THROWS_AS(run(program({op::Free{kX}, reduce()})), InputError);
    CHECK_FALSE(run(program({op::RemoveDriverMemory{"ring"}, kRing, reduce()})).failure);
}

TEST_CASE("a program has at least one process and no more than are possible", "[collectives]") {
    const auto ranks_of = [](const std::string& ranks) {
        return parse_program("highwater-program 1\nmachine total_memory 1 ranks " + ranks + "\n" +
                                 "stream default handle 0x0\n",
                             "p")
            .machine.ranks;
    };
    CHECK(ranks_of("1") == 1);
    CHECK(ranks_of(std::to_string(kMaxRanks)) == kMaxRanks);
    CHECK_THROWS_AS(ranks_of("0"), InputError);
    CHECK_THROWS_AS(ranks_of(std::to_string(kMaxRanks + 1)), InputError);
}

}  // namespace highwater
