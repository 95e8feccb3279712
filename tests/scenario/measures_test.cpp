#include "sim/scenario/result/measures.hpp"

#include <string>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

// Tensors are numbered in order of appearance: x is 0, tmp[0] is 1, tmp[1] is 2, tmpx is 3.
const std::string kScenario =
    "scenario: t\n"
    "parameters: {n: 4}\n"
    "steps:\n"
    "- alloc: {x: 1, \"tmp[0]\": 1, \"tmp[1]\": 1, tmpx: 1}\n"
    "- checkpoint: before\n"
    "- checkpoint: after\n"
    "- checkpoint: at[2]\n"
    "- {checkpoint: never, when: n == 5}\n"
    "measures:\n";

CheckpointRow row(const std::string& name, std::uint64_t reserved, std::size_t placements) {
    CheckpointRow made{name, {}, placements};
    made.stats.reserved_bytes.all = {.current = reserved, .peak = reserved * 2};
    made.stats.segment.all.current = 3;
    return made;
}

Ledger ledger() {
    Ledger made;
    made.checkpoints = {row("before", 100, 1), row("after", 1000, 4), row("at[2]", 7, 6)};
    made.result.reserved_bytes.all.current = 5000;
    made.result.num_device_alloc = 9;
    const auto placed = [&](std::uint32_t tensor, std::uint64_t address) {
        made.placements.push_back({TensorId{tensor}, {address}, Bytes{0}});
    };
    placed(1, 10);
    placed(1, 20);
    placed(2, 20);
    placed(2, 30);
    placed(3, 40);
    placed(1, 50);
    return made;
}

std::string value_of(const std::string& measure, const Ledger& from) {
    const Scenario scenario = load_scenario(kScenario + "  m: " + measure + "\n", "s.yaml");
    const ParameterValues values = resolve_parameters(scenario);
    const auto measures =
        evaluate_measures(scenario, values, lower(scenario, values).program, from);
    REQUIRE(measures.size() == 1);
    CHECK(measures[0].name == "m");
    return measures[0].value ? to_text(*measures[0].value) : "none";
}

std::string value_of(const std::string& measure) {
    return value_of(measure, ledger());
}

std::string error_of_measure(const std::string& measure) {
    try {
        return value_of(measure);
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("the size of a tensor that a failed run has not come by is not known", "[measures]") {
    Ledger failed = ledger();
    failed.placements.clear();
    failed.failure = Failure{Failure::Kind::kOutOfMemory, 1, "out of memory"};
    CHECK(value_of("size_of(x)", failed) == "none");
}

TEST_CASE("a measure calculates with the figures of checkpoints", "[measures]") {
    CHECK(value_of("after.reserved_bytes - before.reserved_bytes") == "900");
    CHECK(value_of("after.peak_reserved_bytes / n") == "500");
    CHECK(value_of("after.segment") == "3");
    CHECK(value_of("at[n / 2].reserved_bytes") == "7");
    CHECK(value_of("result.reserved_bytes + result.num_device_alloc") == "5009");
}

TEST_CASE("a measure knows the figures of buckets, also beside a checkpoint of their name",
          "[measures]") {
    const std::string text =
        "scenario: t\nparameters: {most: 4}\nbuckets: {after: {list: [8, 4, 1], max: most}}\n"
        "steps: [{alloc: {x: 1}}, {checkpoint: after}]\n"
        "measures: {m: after.count * after.max + after.segment}\n";
    const Scenario scenario = load_scenario(text, "s.yaml");
    const ParameterValues values = resolve_parameters(scenario);
    const auto measures =
        evaluate_measures(scenario, values, lower(scenario, values).program, ledger());
    CHECK(measures == std::vector<Measure>{{"m", std::int64_t{2 * 4 + 3}}});
}

TEST_CASE("distinct addresses of a tensor count all its indices between two checkpoints",
          "[measures]") {
    CHECK(value_of("unique_addresses(tmp, before, after)") == "2");
    CHECK(value_of("unique_addresses(tmp, before, result)") == "3");
    CHECK(value_of("unique_addresses(tmpx, before, at[2])") == "1");
}

TEST_CASE("of several checkpoints of one name the last counts", "[measures]") {
    Ledger twice = ledger();
    twice.checkpoints.push_back(row("after", 2000, 6));
    CHECK(value_of("after.reserved_bytes", twice) == "2000");
}

TEST_CASE("a run that stopped early leaves the measures it did not reach open", "[measures]") {
    Ledger stopped = ledger();
    stopped.checkpoints.pop_back();
    stopped.failure = Failure{};
    CHECK(value_of("at[2].reserved_bytes", stopped) == "none");
    CHECK(value_of("before.reserved_bytes", stopped) == "100");
}

TEST_CASE("measures name what there is", "[measures]") {
    const auto [measure, error] = GENERATE(table<std::string, std::string>({
        {"befor.reserved_bytes", "10:6: error: unknown checkpoint `befor`; did you mean `before`?"},
        {"before.reserved",
         "10:13: error: unknown figure `reserved`; did you mean `reserved_bytes`?"},
        {"before.zebra",
         "10:13: error: unknown figure `zebra`; known are `allocation`, `segment`, `active`, "
         "`inactive_split`, `allocated_bytes`, `reserved_bytes`, `active_bytes`, "
         "`inactive_split_bytes`, `requested_bytes`, `peak_allocation`, `peak_segment`, "
         "`peak_active`, ..."},
        {"before.reserved_byte",
         "10:13: error: unknown figure `reserved_byte`; did you mean `reserved_bytes`?"},
        {"before",
         "10:6: error: unknown name `before`; known are `n`, `B`, `KiB`, `MiB`, `GiB`, `TiB`, "
         "`KB`, `MB`, `GB`, `TB`, `ns`, `us`, ..."},
        {"unique_addresses(temporary, before, after)",
         "10:23: error: unknown tensor `temporary`; known are `tmp`, `tmpx`, `x`"},
        {"unique_addresses(tmp, before, aftre)",
         "10:36: error: unknown checkpoint `aftre`; did you mean `after`?"},
        {"unique_addresses(tmp)",
         "10:6: error: `unique_addresses` is a measure of a tensor between two checkpoints; write "
         "`unique_addresses(tensor, before, after)` under `measures`"},
        {"never.reserved_bytes",
         "10:6: error: the steps did not come by the checkpoint `never`; put it where every run "
         "passes"},
        {"at[3].reserved_bytes",
         "10:6: error: the steps did not come by the checkpoint `at[3]`; put it where every run "
         "passes"},
        {"1 // (before.reserved_bytes - 100)",
         "10:8: error: a division by zero; make the divisor positive"},
    }));
    CHECK(error_of_measure(measure) == "s.yaml:" + error);
}
