// Cudagraph trees: recordings that share a pool, and the pool set back between them.
#include <algorithm>
#include <optional>

#include "sim/engine/run.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamId kStream{1};
constexpr PoolName kPool{0};
constexpr TensorId kA{0};
constexpr TensorId kB{1};
constexpr TensorId kC{2};
constexpr TensorId kD{3};

void record(std::vector<Op>& ops, GraphId graph, TensorId output) {
    ops.insert(ops.end(),
               {op::BeginCapture{graph, kStream, kPool},
                op::Alloc{output, 4_MiB, kStream},
                op::Kernel{kStream, {}, {output}},
                op::EndCapture{graph}});
}

// A, B and C one after the other; then the pool as it was after B, and D.
Program re_recording(bool drops_c) {
    Program p;
    p.machine = {80_GiB, 1.0, ""};
    p.streams = {{"default", StreamHandle{0}}, {"capture", StreamHandle{1}}};
    p.tensors = {"a", "b", "c", "d"};
    p.graphs = {"ga", "gb", "gc", "gd"};
    p.pools = {"trees"};
    p.ops = {op::MakePoolHandle{kPool}};
    record(p.ops, GraphId{0}, kA);
    record(p.ops, GraphId{1}, kB);
    p.ops.emplace_back(op::SavePool{kPool, "after b"});
    record(p.ops, GraphId{2}, kC);
    if (drops_c) {
        p.ops.emplace_back(op::Free{kC});
    }
    p.ops.emplace_back(op::RestorePool{"after b"});
    record(p.ops, GraphId{3}, kD);
    return p;
}

Address address_of(const Ledger& ledger, TensorId tensor) {
    return std::ranges::find(ledger.placements, tensor, &Placement::tensor)->address;
}

}  // namespace

TEST_CASE("a graph recorded anew takes the memory of the one it replaces, and no one else's",
          "[pool_state]") {
    const Ledger ledger = run(re_recording(true));
    REQUIRE_FALSE(ledger.failure);
    CHECK(address_of(ledger, kD) == address_of(ledger, kC));
    CHECK(address_of(ledger, kD) != address_of(ledger, kA));
    CHECK(address_of(ledger, kD) != address_of(ledger, kB));
    // The generator's segment, and one of the pool's.
    CHECK(ledger.result.reserved_bytes.all.current == (22_MiB).count);
}

TEST_CASE("a pool is not set back under a tensor that was made since", "[pool_state]") {
    const Ledger ledger = run(re_recording(false));
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->message.find("`c`") != std::string::npos);
    CHECK(ledger.failure->remedy.find("free it") != std::string::npos);
}

TEST_CASE("a pool whose segment is gone is not set back, and it says what to do", "[pool_state]") {
    Program p = re_recording(true);
    const auto restore = std::ranges::find_if(
        p.ops, [](const Op& op) { return std::holds_alternative<op::RestorePool>(op); });
    p.ops.insert(restore,
                 {op::Free{kA},
                  op::Free{kB},
                  op::DestroyGraph{GraphId{0}},
                  op::DestroyGraph{GraphId{1}},
                  op::DestroyGraph{GraphId{2}},
                  op::EmptyCache{}});
    const Ledger ledger = run(p);
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->message.find("is gone") != std::string::npos);
    CHECK(ledger.failure->remedy.find("empty_cache") != std::string::npos);
}

TEST_CASE("what died since the state was noted is given back", "[pool_state]") {
    Program p = re_recording(true);
    const auto restore = std::ranges::find_if(
        p.ops, [](const Op& op) { return std::holds_alternative<op::RestorePool>(op); });
    p.ops.insert(restore, op::Free{kB});
    const Ledger ledger = run(p);
    REQUIRE_FALSE(ledger.failure);
    CHECK(address_of(ledger, kD) == address_of(ledger, kB));
}

}  // namespace highwater
