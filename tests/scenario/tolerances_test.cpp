#include <string>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

Scenario with_tolerances(const std::string& map) {
    return load_scenario(fmt::format("scenario: s\ntolerances: {}\nsteps: [sync]\n", map),
                         "s.yaml");
}

std::string error_of_tolerances(const std::string& map) {
    try {
        with_tolerances(map);
        return "accepted";
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a scenario states how far off a card may be", "[tolerances]") {
    const Scenario both = with_tolerances("{time: 0.3, driver: 64 MiB}");
    CHECK(both.tolerances.time == 0.3);
    CHECK(both.tolerances.driver == Bytes{64ULL << 20U});
    const Scenario none = load_scenario("scenario: s\nsteps: [sync]\n", "s.yaml");
    CHECK_FALSE(none.tolerances.time);
    CHECK_FALSE(none.tolerances.driver);
}

TEST_CASE("a tolerance is a share or a size, and not below 0", "[tolerances]") {
    const auto [map, problem] = GENERATE(table<std::string, std::string>({
        {"{time: -0.1}", "`-0.1` where a tolerance should be; give a share"},
        {"{time: soon}", "`soon` where a tolerance should be; give a share"},
        {"{driver: 0.5}", "`0.5` where a tolerance should be; give a size: `64 MiB`"},
        {"{memory: 1}", "unknown key `memory`"},
        {"[1]", "a list where"},
    }));
    CHECK_THAT(error_of_tolerances(map), Catch::Contains(problem));
}
