// The replay of the recorded allocator programs, comparison included, reading left out.
#include <filesystem>
#include <vector>

#include <benchmark/benchmark.h>

#include "validate/conform.hpp"
#include "validate/recorded_file.hpp"

namespace highwater {
namespace {

std::vector<RecordedProgram> all_recorded() {
    std::vector<RecordedProgram> programs;
    const std::filesystem::path folder = HIGHWATER_SOURCE_DIR "/tests/recorded/conformance";
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        read_recorded_file(file.path().string(), [&programs](const RecordedProgram& program) {
            programs.push_back(program);
        });
    }
    return programs;
}

void replay_conformance(benchmark::State& state) {
    const std::vector<RecordedProgram> programs = all_recorded();
    std::int64_t operations = 0;
    for ([[maybe_unused]] auto _ : state) {
        for (const RecordedProgram& program : programs) {
            if (replay_recorded(program)) {
                state.SkipWithError("a program is not exact");
            }
            operations += static_cast<std::int64_t>(program.ops.size());
        }
    }
    state.SetItemsProcessed(operations);
}
BENCHMARK(replay_conformance)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace highwater
