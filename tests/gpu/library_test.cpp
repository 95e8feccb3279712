// The harness on a fake card that has the simulator's own allocator gives what the simulator gives:
// so whatever differs on a real card is the card's.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "gpu/abilities.hpp"
#include "gpu/measure.hpp"
#include "gpu/point.hpp"
#include "sim/engine/run.hpp"
#include "sim/hazards/hazard_detector.hpp"
#include "tests/gpu/fake_backend.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

std::vector<std::string> files_in(const std::string& folder, const std::string& extension) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == extension) {
            files.push_back(entry.path().string());
        }
    }
    return files;
}

std::vector<MemoryStats> stats_of(const Ledger& ledger) {
    std::vector<MemoryStats> stats;
    for (const CheckpointRow& row : ledger.checkpoints) {
        stats.push_back(row.stats);
    }
    return stats;
}

}  // namespace

TEST_CASE("what the harness runs on a fake card gives the simulator's figures", "[library]") {
    std::size_t compared = 0;
    for (const std::string& file : files_in(HIGHWATER_SOURCE_DIR "/scenarios", ".yaml")) {
        INFO(file);
        gpu::Point point = gpu::read_point(file, {});
        // Of what only takes time nothing is left to differ.
        point.program.machine.cost_profile.clear();
        gpu::FakeBackend backend(point.program);
        if (gpu::unsupported(point.program, backend.memory().abilities())) {
            continue;
        }
        const gpu::Measurement measured = gpu::measure(point.program, backend, "fake");
        const Ledger predicted = run(point.program);
        CHECK(stats_of(measured.ledger) == stats_of(predicted));
        CHECK(measured.ledger.result == predicted.result);
        CHECK(measured.ledger.segments == predicted.segments);
        REQUIRE(measured.ledger.placements.size() == predicted.placements.size());
        for (std::size_t i = 0; i < predicted.placements.size(); ++i) {
            REQUIRE(measured.ledger.placements[i].address == predicted.placements[i].address);
        }
        REQUIRE(measured.ledger.pools.size() <= predicted.pools.size());
        for (const PoolRow& pool : measured.ledger.pools) {
            const auto same = std::ranges::find(predicted.pools, pool.id, &PoolRow::id);
            REQUIRE(same != predicted.pools.end());
            CHECK(pool.name == same->name);
            CHECK(pool.high_water == same->high_water);
            CHECK(pool.allocated == same->allocated);
            CHECK(pool.streams == same->streams);
        }
        REQUIRE(measured.ledger.graphs.size() == predicted.graphs.size());
        for (std::size_t i = 0; i < predicted.graphs.size(); ++i) {
            CHECK(measured.ledger.graphs[i].nodes == predicted.graphs[i].nodes);
            CHECK(measured.ledger.graphs[i].edges == predicted.graphs[i].edges);
            CHECK(measured.ledger.graphs[i].joins == predicted.graphs[i].joins);
        }
        CHECK(measured.ledger.failure.has_value() == predicted.failure.has_value());
        ++compared;
    }
    CHECK(compared > 15);
}

TEST_CASE("the checks run on a fake card, and those that are to corrupt have a hazard",
          "[checks]") {
    const std::vector<std::string> files = files_in(HIGHWATER_SOURCE_DIR "/gpu/checks", ".txt");
    CHECK_FALSE(files.empty());
    for (const std::string& file : files) {
        INFO(file);
        const gpu::Point point = gpu::read_point(file, {});
        HazardDetector detector(point.program);
        RunOptions options;
        options.observer = &detector;
        CHECK_FALSE(run(point.program, options).failure);
        const bool is_corrupt = std::filesystem::path(file).stem().string().ends_with("_corrupt");
        CHECK(detector.hazards().empty() != is_corrupt);
        gpu::FakeBackend backend(point.program);
        const gpu::Measurement measured = gpu::measure(point.program, backend, "fake");
        CHECK_FALSE(measured.ledger.failure);
        if (!is_corrupt) {
            CHECK(measured.corruption.empty());
        }
    }
}
