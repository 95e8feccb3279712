#include "sim/plan/budget/budget.hpp"

#include <algorithm>
#include <optional>

#include "sim/plan/peaks.hpp"
#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;
using plan::Budget;
using plan::BudgetItem;
using plan::BudgetLine;

namespace {

constexpr Bytes kMiB{1ULL << 20U};

Bytes mib(std::uint64_t count) {
    return Bytes{count * kMiB.count};
}

Budget budget_of(const std::string& phases, std::optional<std::size_t> op = std::nullopt) {
    const Lowered lowered = lowered_of(small_decoder(phases));
    return plan::budget_behind(lowered, op.value_or(lowered.program.ops.size() - 1), nullptr);
}

Bytes sum_of(const Budget& budget, BudgetItem item) {
    Bytes sum;
    for (const BudgetLine& line : budget.lines) {
        sum += line.item == item ? line.bytes : Bytes{};
    }
    return sum;
}

Bytes total_of(const Budget& budget) {
    Bytes sum = budget.left;
    for (const BudgetLine& line : budget.lines) {
        sum += line.bytes;
    }
    return sum;
}

constexpr const char* kServing = R"(
  - load_weights
  - alloc: {ids: 1 MiB}
  - warm_up: {buckets: [decode.max], stream: capture}
  - capture: {buckets: decode, stream: capture}
  - kv_cache: {bytes_per_token: 1 MiB, tokens: 100}
  - driver_memory: {name: nccl, kind: collective, size: 50 MiB, error: 5 MiB, source: test}
)";

}  // namespace

TEST_CASE("a budget names who has the card, and adds up to it", "[budget]") {
    const Budget budget = budget_of(kServing);
    CHECK(sum_of(budget, BudgetItem::kWeights) == mib(40));
    CHECK(sum_of(budget, BudgetItem::kKvCache) == mib(100));
    CHECK(sum_of(budget, BudgetItem::kWorkspaces) == mib(32));
    CHECK(sum_of(budget, BudgetItem::kStaticBuffers) >= mib(1));
    CHECK(sum_of(budget, BudgetItem::kPrivatePool) > Bytes{});
    CHECK(sum_of(budget, BudgetItem::kDriver) == mib(50));
    CHECK(sum_of(budget, BudgetItem::kTemporaries) == Bytes{});
    CHECK(total_of(budget) == budget.capacity);
    CHECK(budget.capacity == mib(1024));
}

TEST_CASE("a budget balances behind every operation", "[budget]") {
    const Lowered lowered = lowered_of(small_decoder(kServing));
    for (std::size_t op = 0; op < lowered.program.ops.size(); ++op) {
        const Budget budget = plan::budget_behind(lowered, op, nullptr);
        REQUIRE(total_of(budget) == budget.capacity);
    }
}

TEST_CASE("what is freed later is a temporary, what is not is static", "[budget]") {
    const std::string steps = R"(
  - alloc: {a: 3 MiB, b: 5 MiB}
  - checkpoint: both
  - free: a
)";
    const Budget before = budget_of(steps, 2);
    CHECK(sum_of(before, BudgetItem::kTemporaries) == mib(3));
    CHECK(sum_of(before, BudgetItem::kStaticBuffers) == mib(5));
    const Budget after = budget_of(steps);
    CHECK(sum_of(after, BudgetItem::kTemporaries) == Bytes{});
    CHECK(sum_of(after, BudgetItem::kCached) == mib(20 - 5));
}

TEST_CASE("a line has its place in the scenario, or its source", "[budget]") {
    const Budget budget = budget_of(kServing);
    for (const BudgetLine& line : budget.lines) {
        CHECK_FALSE(line.source.empty());
    }
    const auto nccl = std::ranges::find(budget.lines, std::string("nccl"), &BudgetLine::name);
    REQUIRE(nccl != budget.lines.end());
    CHECK(nccl->error == mib(5));
    CHECK(nccl->source == "test");
}

TEST_CASE("a moment within what is tried and fails can be told", "[budget]") {
    const Budget budget = budget_of(R"(
  - try: greedy
    do:
      - alloc: {a: 100 MiB}
      - alloc: {b: 2 GiB}
  - alloc: {c: 10 MiB}
)",
                                    1);
    CHECK(sum_of(budget, BudgetItem::kStaticBuffers) == mib(100));
}
