// Around-allocator specification 3.4, 3.5 and 4: graphs and pools that go, in every order.
#include <algorithm>
#include <optional>
#include <vector>

#include "sim/engine/run.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;
using namespace std::chrono_literals;

namespace {

constexpr StreamId kCapture{1};
constexpr GraphId kG{0};
constexpr GraphId kH{1};
constexpr PoolName kHandle{0};
constexpr PoolName kMemPool{1};
constexpr TensorId kOutput{0};
constexpr TensorId kTemporary{1};
constexpr TensorId kInPool{2};

Program program(std::vector<Op> ops) {
    Program p;
    p.machine = {80_GiB, 1.0, ""};
    p.streams = {{"default", StreamHandle{0}}, {"capture", StreamHandle{1}}};
    p.tensors = {"output", "temporary", "in_pool"};
    p.graphs = {"g", "h"};
    p.pools = {"handle", "mem_pool"};
    p.ops = std::move(ops);
    return p;
}

// Two graphs that share a handle, the first with an output that is kept; and a MemPool.
std::vector<Op> two_graphs_and_a_pool() {
    return {op::MakePoolHandle{kHandle},
            op::BeginCapture{kG, kCapture, kHandle},
            op::Alloc{kOutput, 12_MiB, kCapture},
            op::Kernel{kCapture, {}, {kOutput}},
            op::EndCapture{kG},
            op::BeginCapture{kH, kCapture, kHandle},
            op::Alloc{kTemporary, 14_MiB, kCapture},
            op::Kernel{kCapture, {}, {kTemporary}},
            op::Free{kTemporary},
            op::EndCapture{kH},
            op::CreatePool{kMemPool},
            op::EnterPool{kMemPool},
            op::Alloc{kInPool, 30_MiB, kDefaultStream},
            op::LeavePool{kMemPool}};
}

std::vector<Op> endings() {
    return {op::DestroyGraph{kG},
            op::DestroyGraph{kH},
            op::DestroyPool{kMemPool},
            op::Free{kOutput},
            op::Free{kInPool}};
}

std::uint64_t reserved(const Ledger& ledger) {
    return ledger.result.reserved_bytes.all.current;
}

Ledger run_after(std::vector<Op> ops, const std::vector<Op>& more) {
    ops.insert(ops.end(), more.begin(), more.end());
    return run(program(std::move(ops)));
}

}  // namespace

TEST_CASE("graphs, pools and tensors may go in any order: in the end nothing is left", "[replay]") {
    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    do {
        std::vector<Op> ops;
        for (const std::size_t each : order) {
            ops.push_back(endings()[each]);
        }
        ops.emplace_back(op::EmptyCache{});
        const Ledger ledger = run_after(two_graphs_and_a_pool(), ops);
        REQUIRE_FALSE(ledger.failure);
        REQUIRE(reserved(ledger) == 0);
        REQUIRE(ledger.result.allocated_bytes.all.current == 0);
    } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("a pool keeps its memory while one of its graphs lives, whichever it is", "[replay]") {
    const auto [gone, stays] = GENERATE(table<GraphId, GraphId>({{kG, kH}, {kH, kG}}));
    const Ledger one_gone = run_after(
        two_graphs_and_a_pool(), {op::Free{kOutput}, op::DestroyGraph{gone}, op::EmptyCache{}});
    // The generator's 2 MiB, the pool's 12 and 14, and the MemPool's 30.
    CHECK(reserved(one_gone) == (58_MiB).count);
    const Ledger both_gone = run_after(
        two_graphs_and_a_pool(),
        {op::Free{kOutput}, op::DestroyGraph{gone}, op::DestroyGraph{stays}, op::EmptyCache{}});
    CHECK(reserved(both_gone) == (30_MiB).count);
}

TEST_CASE("an output keeps its segment when the graph is gone", "[replay]") {
    const Ledger ledger = run_after(two_graphs_and_a_pool(),
                                    {op::DestroyGraph{kG}, op::DestroyGraph{kH}, op::EmptyCache{}});
    CHECK(reserved(ledger) == (42_MiB).count);
}

TEST_CASE("graphs replay in another order than they were captured in", "[replay]") {
    const Ledger ledger =
        run_after(two_graphs_and_a_pool(),
                  {op::Replay{kH, kCapture}, op::Replay{kG, kCapture}, op::Replay{kH, kCapture}});
    REQUIRE_FALSE(ledger.failure);
    REQUIRE(ledger.graphs.size() == 2);
    CHECK(ledger.graphs[0].replays == 1);
    CHECK(ledger.graphs[1].replays == 2);
}

TEST_CASE("a graph that was reset is captured again under its name", "[replay]") {
    const Ledger ledger = run_after(two_graphs_and_a_pool(),
                                    {op::DestroyGraph{kH},
                                     op::BeginCapture{kH, kCapture, kHandle},
                                     op::Kernel{kCapture, {}, {}},
                                     op::Kernel{kCapture, {}, {}},
                                     op::EndCapture{kH},
                                     op::Replay{kH, kCapture}});
    REQUIRE_FALSE(ledger.failure);
    REQUIRE(ledger.graphs.size() == 3);
    CHECK(ledger.graphs[2].nodes == 2);
    CHECK(ledger.graphs[2].replays == 1);
    CHECK(ledger.graphs[1].replays == 0);
}

TEST_CASE("a graph that was destroyed while it runs finishes, and none begins after", "[replay]") {
    CostProfile costs;
    costs.times.card.node_gap = 1us;
    std::vector<Op> ops{op::BeginCapture{kG, kCapture, std::nullopt},
                        op::Kernel{kCapture, {}, {}, 10us, 1},
                        op::Kernel{kCapture, {}, {}, 10us, 1},
                        op::EndCapture{kG},
                        op::Replay{kG, kCapture},
                        op::DestroyGraph{kG}};
    RunOptions options;
    options.costs = &costs;
    const Ledger ledger = run(program(ops), options);
    REQUIRE_FALSE(ledger.failure);
    CHECK(ledger.graphs[0].replay_time == 21us);
    ops.emplace_back(op::Replay{kG, kCapture});
    CHECK_THROWS_AS(run(program(ops), options), InputError);
}

TEST_CASE("a pool that lost its last graph opens again only once it is drained", "[replay]") {
    const std::vector<Op> again{op::BeginCapture{kG, kCapture, kHandle}, op::EndCapture{kG}};
    std::vector<Op> ops{op::DestroyGraph{kG}, op::DestroyGraph{kH}};
    ops.insert(ops.end(), again.begin(), again.end());
    CHECK(run_after(two_graphs_and_a_pool(), ops).failure);
    std::vector<Op> drained{
        op::DestroyGraph{kG}, op::DestroyGraph{kH}, op::Free{kOutput}, op::EmptyCache{}};
    drained.insert(drained.end(), again.begin(), again.end());
    CHECK_FALSE(run_after(two_graphs_and_a_pool(), drained).failure);
}

}  // namespace highwater
