// Holds the library of scenarios to what its files say.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <ranges>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/result/claims.hpp"
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

bool is_scenario(const std::filesystem::path& path) {
    const std::filesystem::path inside = path.lexically_relative(kLibrary);
    return path.extension() == ".yaml" && *inside.begin() != "presets";
}

std::vector<std::string> library() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kLibrary)) {
        if (is_scenario(entry.path())) {
            files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// What is wrong with a file, a line each; nothing if all is well.
std::vector<std::string> complaints_about(const std::string& file) {
    std::vector<std::string> complaints;
    const std::string text = read_scenario_file(file);
    if (!text.starts_with("# Claim: ")) {
        complaints.push_back(file + ":1: the file does not open with the comment `# Claim: `");
    }
    const Scenario scenario = load_scenario(text, file, read_scenario_file);
    if (scenario.expectations.empty()) {
        complaints.push_back(file + ": the file has no `expect`");
    }
    for (const Expectation& expectation : std::views::take(scenario.expectations, kMostRuns)) {
        for (const Claim& claim : claims_of(scenario, expectation)) {
            if (!claim.holds) {
                complaints.push_back(to_text(claim));
            }
        }
    }
    return complaints;
}

std::vector<std::string> all_complaints_about(const std::string& file) {
    try {
        return complaints_about(file);
    } catch (const InputError& error) {
        return {error.what()};
    }
}

}  // namespace

TEST_CASE("every scenario of the library opens with its claim and holds it", "[library]") {
    const std::vector<std::string> files = library();
    CHECK_FALSE(files.empty());
    for (const std::string& file : files) {
        for (const std::string& complaint : all_complaints_about(file)) {
            FAIL_CHECK(complaint);
        }
    }
}
