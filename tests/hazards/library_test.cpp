// Holds the library of scenarios to the hazards that its files have by intent.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/hazards/hazard_detector.hpp"
#include "sim/hazards/hazard_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

const std::filesystem::path kLibrary = HIGHWATER_SOURCE_DIR "/scenarios";

#ifdef __SANITIZE_ADDRESS__
// Of each file one run; the optimised tests make them all.
constexpr std::ptrdiff_t kMostRuns = 1;
#else
constexpr std::ptrdiff_t kMostRuns = PTRDIFF_MAX;
#endif

/// What some runs of a scenario show, and no others do.
struct Intended {
    std::string file;
    /// One of the run's parameters; empty: all runs.
    std::string with;
    HazardKind kind{};
};

const std::vector<Intended> kIntended{
    {"cases/s01_four_disciplines.yaml", "discipline=none", HazardKind::kReusedInUse},
    {"fsdp_run_ahead.yaml", "discipline=none", HazardKind::kReusedInUse},
    {"cases/s12_recycled_under_a_reader.yaml", "recorded=false", HazardKind::kReusedInUse},
    {"cases/g17_weak_reference_across_segments.yaml", "reader=late", HazardKind::kOverwritten},
    // What an eager step hands to the graph behind it is freed there, and made anew, elsewhere, at
    // a replay.
    {"breakable_prefill.yaml", "", HazardKind::kStaleAddress},
    {"piecewise_prefill.yaml", "", HazardKind::kStaleAddress},
};

std::vector<std::string> library() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kLibrary)) {
        const std::filesystem::path file = entry.path().lexically_relative(kLibrary);
        if (file.extension() == ".yaml" && *file.begin() != "presets") {
            files.push_back(file.string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool has(const ParameterValues& values, const std::string& with) {
    return with.empty() || std::ranges::any_of(values.all(), [&](const auto& value) {
               return fmt::format("{}={}", value.first, to_text(value.second)) == with;
           });
}

std::set<HazardKind> intended(const std::string& file, const ParameterValues& values) {
    std::set<HazardKind> kinds;
    for (const Intended& each : kIntended) {
        if (each.file == file && has(values, each.with)) {
            kinds.insert(each.kind);
        }
    }
    return kinds;
}

// Checks the run of the scenario that one of its expectations is about.
void check_run(const std::string& file, const Scenario& scenario, const Expectation& expectation) {
    const ParameterValues values = resolve_parameters(scenario, expectation.with);
    const Program program = lower(scenario, values).program;
    std::set<HazardKind> kinds;
    std::string texts;
    for (const Hazard& hazard : find_hazards(program)) {
        kinds.insert(hazard.kind);
        texts += hazard_text(program, hazard) + "\n";
    }
    INFO(file << ":" << expectation.place.line << "\n" << texts);
    CHECK(kinds == intended(file, values));
}

}  // namespace

TEST_CASE("the library's scenarios have the hazards they are about, and no others", "[library]") {
    const std::vector<std::string> files = library();
    CHECK_FALSE(files.empty());
    for (const std::string& file : files) {
        const std::string path = (kLibrary / file).string();
        const Scenario scenario = load_scenario(read_scenario_file(path), path, read_scenario_file);
        for (const Expectation& expectation : std::views::take(scenario.expectations, kMostRuns)) {
            check_run(file, scenario, expectation);
        }
    }
}
