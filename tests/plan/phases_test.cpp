#include <algorithm>

#include "sim/plan/budget/budget.hpp"
#include "sim/plan/peaks.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;
using plan::PhasePeak;
using plan::PlannedRun;

namespace {

constexpr const char* kServingPhases = R"(
  - load_weights
  - checkpoint: weighed
  - warm_up: {buckets: [decode.max], stream: capture}
  - capture: {buckets: decode, stream: capture}
  - checkpoint: captured
  - kv_cache: {bytes_per_token: 1 MiB, tokens: 100}
)";

}  // namespace

TEST_CASE("phases tile the program, and have the scenario's names", "[phases]") {
    const Lowered lowered = lowered_of(small_decoder(kServingPhases));
    const std::vector<plan::Phase> phases = plan::phases_of(lowered);
    std::vector<std::string> names;
    std::size_t at = 0;
    for (const plan::Phase& phase : phases) {
        CHECK(phase.first == at);
        at = phase.end;
        names.push_back(phase.name);
    }
    CHECK(at == lowered.program.ops.size());
    CHECK(names == std::vector<std::string>{"load_weights",
                                            "to checkpoint weighed",
                                            "forward",
                                            "capture",
                                            "to checkpoint captured",
                                            "kv_cache"});
    CHECK(phases.back().place.line == phases.front().place.line + 5);
}

TEST_CASE("a scenario of steps is divided at its checkpoints", "[phases]") {
    const Lowered lowered = lowered_of(small_decoder(R"(
  - alloc: {a: 1 MiB}
  - checkpoint: one
  - free: a
)"));
    const std::vector<plan::Phase> phases = plan::phases_of(lowered);
    REQUIRE(phases.size() == 2);
    CHECK(phases[0].name == "to checkpoint one");
    CHECK(phases[1].name == "steps");
}

TEST_CASE("each phase has the most that was in use in it", "[phases]") {
    const PlannedRun run = plan::run_phases(lowered_of(small_decoder(R"(
  - alloc: {a: 100 MiB}
  - driver_memory: {name: nccl, kind: collective, size: 50 MiB, error: 0, source: test}
  - checkpoint: one
  - free: a
  - empty_cache
  - checkpoint: two
  - alloc: {b: 10 MiB}
)")),
                                            nullptr);
    REQUIRE(run.peaks.size() == 3);
    CHECK(run.peaks[0].most == plan::InUse{Bytes{100ULL << 20U}, Bytes{50ULL << 20U}});
    // It begins with what is there.
    CHECK(run.peaks[1].most.total() == Bytes{150ULL << 20U});
    CHECK(run.peaks[1].last == plan::InUse{Bytes{}, Bytes{50ULL << 20U}});
    CHECK(run.peaks[2].most.total() == Bytes{60ULL << 20U});
    CHECK(plan::worst_of(run).phase.name == "to checkpoint one");
}

TEST_CASE("the peaks are those of the run's own counters", "[phases]") {
    const Lowered lowered = lowered_of(small_decoder(kServingPhases));
    const PlannedRun run = plan::run_phases(lowered, nullptr);
    REQUIRE_FALSE(run.ledger.failure);
    CHECK(plan::worst_of(run).most.reserved.count == run.ledger.result.reserved_bytes.all.peak);
    CHECK(run.peaks.back().last.reserved.count == run.ledger.result.reserved_bytes.all.current);
}

TEST_CASE("phases behind a failure are not reached", "[phases]") {
    const PlannedRun run = plan::run_phases(lowered_of(small_decoder(R"(
  - load_weights
  - kv_cache: {bytes_per_token: 1 MiB, tokens: 2000}
  - warm_up: {buckets: [1]}
)")),
                                            nullptr);
    REQUIRE(run.ledger.failure);
    REQUIRE(run.peaks.size() == 2);
    CHECK(run.peaks.back().phase.name == "kv_cache");
}

TEST_CASE("a scenario that does nothing has room for all of it", "[phases]") {
    const Lowered lowered =
        lowered_of(load_scenario("scenario: s\ncost_profile: none\nsteps: []\n", "s.yaml"));
    const PlannedRun run = plan::run_phases(lowered, nullptr);
    CHECK(plan::has_room(run.ledger));
    CHECK(plan::worst_of(run).most.total() == Bytes{});
}

TEST_CASE("memory that runs out where it is tried is no room", "[phases]") {
    const PlannedRun run = plan::run_phases(lowered_of(small_decoder(R"(
  - try: greedy
    do: [{alloc: {a: 2 GiB}}]
  - alloc: {b: 1 MiB}
)")),
                                            nullptr);
    CHECK_FALSE(run.ledger.failure);
    CHECK_FALSE(plan::has_room(run.ledger));
    REQUIRE(plan::lack_of_memory(run.ledger) != nullptr);
    CHECK(plan::lack_of_memory(run.ledger)->tried == "greedy");
}

TEST_CASE("a peak is behind an operation that was run", "[phases]") {
    const Lowered lowered = lowered_of(small_decoder(R"(
  - checkpoint: begun
  - try: greedy
    do: [{alloc: {a: 2 GiB}}, {kernel: {writes: a}}]
  - alloc: {b: 100 MiB}
  - checkpoint: ended
)"));
    const PlannedRun run = plan::run_phases(lowered, nullptr);
    const PhasePeak& worst = plan::worst_of(run);
    CHECK(worst.most.reserved == Bytes{100ULL << 20U});
    CHECK(plan::budget_behind(lowered, worst.op, nullptr).left ==
          lowered.program.machine.total_memory - worst.most.total());
}

TEST_CASE("what is left counts the memory that the process is allowed", "[phases]") {
    Lowered lowered = lowered_of(small_decoder("\n  - alloc: {a: 100 MiB}\n"));
    lowered.program.machine.memory_fraction = 0.25;
    const PlannedRun run = plan::run_phases(lowered, nullptr);
    CHECK(plan::left_on(lowered.program.machine, run) == Bytes{(256ULL - 100ULL) << 20U});
}
