// Free+malloc pairs that the cache serves, by the number of live blocks. README.md has the figures.
#include <benchmark/benchmark.h>

#include "bench/free_malloc_pairs.hpp"

namespace highwater {
namespace {

void free_malloc_pair(benchmark::State& state) {
    Process process(static_cast<std::size_t>(state.range(0)));
    const std::uint64_t before = process.segments();
    for ([[maybe_unused]] auto _ : state) {
        process.pair();
    }
    state.counters["segments"] = static_cast<double>(process.segments() - before);
}
BENCHMARK(free_malloc_pair)->Arg(1)->Arg(64)->Arg(1024)->Arg(16384);

}  // namespace
}  // namespace highwater
