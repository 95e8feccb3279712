// What a pool reserved, beside what no allocator could have done without.
#include "sim/engine/pool_bounds.hpp"

#include "sim/engine/pool_lifetimes.hpp"
#include "sim/engine/run.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamId kCapture{1};
constexpr StreamId kSide{2};
constexpr GraphId kGraph{0};
constexpr EventName kFork{0};
constexpr EventName kJoin{1};
constexpr TensorId kA{0};
constexpr TensorId kB{1};

Program program(std::vector<Op> ops) {
    Program p;
    p.machine = {80_GiB, 1.0, ""};
    p.streams = {
        {"default", StreamHandle{0}}, {"capture", StreamHandle{1}}, {"side", StreamHandle{2}}};
    p.tensors = {"a", "b", "c"};
    p.events = {"fork", "join"};
    p.graphs = {"g"};
    p.ops = std::move(ops);
    return p;
}

PoolBounds bounds_of_last_pool(const Program& program) {
    std::vector<CaptureGraph> graphs;
    RunOptions options;
    options.graphs = &graphs;
    const Ledger ledger = run(program, options);
    REQUIRE_FALSE(ledger.failure);
    return pool_bounds(program, ledger, graphs).back();
}

// A temporary of 8 MiB on the side stream, then one of the same size on the capture stream.
Program two_temporaries(bool joins_between) {
    std::vector<Op> ops{op::BeginCapture{kGraph, kCapture, std::nullopt},
                        op::Kernel{kCapture, {}, {}},
                        op::RecordEvent{kFork, kCapture},
                        op::WaitEvent{kSide, kFork},
                        op::Alloc{kA, 8_MiB, kSide},
                        op::Kernel{kSide, {}, {kA}},
                        op::Free{kA},
                        op::RecordEvent{kJoin, kSide}};
    const std::vector<Op> join{op::WaitEvent{kCapture, kJoin}};
    const std::vector<Op> other{
        op::Alloc{kB, 8_MiB, kCapture}, op::Kernel{kCapture, {}, {kB}}, op::Free{kB}};
    for (const auto& part : joins_between ? std::vector{join, other} : std::vector{other, join}) {
        ops.insert(ops.end(), part.begin(), part.end());
    }
    ops.emplace_back(op::EndCapture{kGraph});
    return program(std::move(ops));
}

}  // namespace

TEST_CASE("a lifetime goes from the allocation to the free, or to the end", "[bounds]") {
    const Program p = program({op::Alloc{kA, 3_MiB, kDefaultStream},
                               op::Alloc{kB, 5_MiB, kDefaultStream},
                               op::Free{kA},
                               op::Alloc{kA, 1_MiB, kDefaultStream}});
    const auto pools = pool_lifetimes(p, run(p));
    CHECK(pools[0].lifetimes ==
          std::vector<Lifetime>{{0, 0, 2, 3_MiB}, {1, 1, 4, 5_MiB}, {2, 3, 4, 1_MiB}});
}

TEST_CASE("temporaries of branches that may overlap are needed together, in some schedule",
          "[bounds]") {
    const PoolBounds apart = bounds_of_last_pool(two_temporaries(true));
    CHECK(apart.largest_live == 8_MiB);
    CHECK(apart.any_schedule == 8_MiB);
    const PoolBounds beside = bounds_of_last_pool(two_temporaries(false));
    CHECK(beside.largest_live == 8_MiB);
    CHECK(beside.any_schedule == 16_MiB);
    // A stream's segment is no other's: the native allocator reserves two either way.
    CHECK(apart.high_water == 40_MiB);
    CHECK(beside.high_water == 40_MiB);
}

TEST_CASE("what outlives the capture is in use to its end", "[bounds]") {
    const PoolBounds kept = bounds_of_last_pool(program({
        op::BeginCapture{kGraph, kCapture, std::nullopt},
        op::Alloc{kA, 8_MiB, kCapture},
        op::Kernel{kCapture, {}, {kA}},
        op::Alloc{kB, 8_MiB, kCapture},
        op::Kernel{kCapture, {}, {kB}},
        op::EndCapture{kGraph},
    }));
    CHECK(kept.largest_live == 16_MiB);
    CHECK(kept.any_schedule == 16_MiB);
}

TEST_CASE("fragmentation shows as reserved beyond what a packing needs", "[bounds]") {
    const PoolBounds bounds = bounds_of_last_pool(program({op::Alloc{kA, 12_MiB, kDefaultStream},
                                                           op::Free{kA},
                                                           op::Alloc{kB, 14_MiB, kDefaultStream},
                                                           op::Free{kB}}));
    CHECK(bounds.high_water == 26_MiB);
    CHECK(bounds.largest_live == 14_MiB);
    CHECK(bounds.packed == 14_MiB);
    CHECK(bounds.is_packing_optimal);
}

}  // namespace highwater
