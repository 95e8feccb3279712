// Holds the library of scenarios to what hazards its files have by intent.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/hazards/hazard_detector.hpp"
#include "sim/hazards/hazard_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
const std::filesystem::path kLibrary = HIGHWATER_SOURCE_DIR "/scenarios";
TEST_CASE("x") {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kLibrary)) {
        const std::filesystem::path inside = entry.path().lexically_relative(kLibrary);
        if (entry.path().extension() == ".yaml" && *inside.begin() != "presets")
            files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    for (auto& file : files) {
        const Scenario scenario = load_scenario(read_scenario_file(file), file);
        for (auto& e : scenario.expectations) {
            const Lowered lowered = lower(scenario, resolve_parameters(scenario, e.with));
            auto h = find_hazards(lowered.program);
            if (h.empty()) continue;
            std::printf("== %s:%zu  %zu\n", file.c_str(), e.place.line, h.size());
            for (std::size_t i = 0; i < h.size() && i < 3; ++i)
                std::printf("   %lu x %s\n", h[i].count, hazard_text(lowered.program, h[i]).c_str());
        }
    }
}
