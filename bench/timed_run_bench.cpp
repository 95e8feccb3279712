// A million operations in simulated time, and the same in graphs.
#include <benchmark/benchmark.h>

#include "bench/timed_program.hpp"
#include "sim/engine/run.hpp"

namespace highwater {
namespace {

void run_timed(benchmark::State& state, const Program& program) {
    const CostProfile costs = timed::host_ahead_profile();
    RunOptions options;
    options.costs = &costs;
    for ([[maybe_unused]] auto _ : state) {
        const Ledger ledger = run(program, options);
        if (ledger.failure || ledger.times->end == Instant{}) {
            state.SkipWithError("the run fails, or takes no time");
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(program.ops.size()));
}

void run_eagerly(benchmark::State& state) {
    run_timed(state, timed::eager_program());
}
BENCHMARK(run_eagerly)->Unit(benchmark::kMillisecond);

void run_in_graphs(benchmark::State& state) {
    run_timed(state, timed::captured_program());
}
BENCHMARK(run_in_graphs)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace highwater
