#include <optional>
#include <string>

#include "sim/engine/run.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/result/measures.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

std::string nccl(const std::string& more) {
    return "- driver_memory: {name: nccl, kind: collective, size: 8 MiB, " + more + "}\n";
}

// The measure `m` after the steps, on a card of 1 GiB without a cost profile.
std::optional<Value> measured(const std::string& steps, const std::string& measure) {
    const Scenario scenario = load_scenario("scenario: t\ndevice: {total_memory: 1 GiB}\nsteps:\n" +
                                                steps + "measures: {m: " + measure + "}\n",
                                            "s.yaml");
    const ParameterValues values = resolve_parameters(scenario);
    const Program program = lower(scenario, values).program;
    return evaluate_measures(scenario, values, program, run(program)).at(0).value;
}

}  // namespace

TEST_CASE("memory of the driver goes into the program with its source and error", "[driver]") {
    CHECK(ops_of_steps(nccl("error: 1 MiB, source: seen")) ==
          "add_driver_memory nccl seen collective 8388608 error 1048576\n");
    CHECK(ops_of_steps(nccl("within: 0.25, source: seen, stream: a")) ==
          "add_driver_memory nccl seen collective 8388608 error 2097152 on a\n");
    CHECK(ops_of_steps("- driver_memory: {name: \"x[n]\", kind: other, size: n, error: 0, "
                       "source: two words}\n"
                       "- free_driver_memory: x[4]\n") ==
          "add_driver_memory x[4] \"two words\" other 4\n"
          "remove_driver_memory x[4]\n");
}

TEST_CASE("no figure of the driver stands without source and error", "[driver]") {
    const auto error = [](const std::string& more) { return error_of_steps(nccl(more)); };
    CHECK_THAT(error("source: seen"), Catch::Contains("a figure without its error"));
    CHECK_THAT(error("error: 1 MiB, within: 0.1, source: seen"),
               Catch::Contains("an `error` and a `within`"));
    CHECK_THAT(error("error: 0"), Catch::Contains("`source`"));
    CHECK_THAT(error("error: 0, source: ''"), Catch::Contains("a figure without its source"));
    CHECK_THAT(error("within: 2, source: seen"), Catch::Contains("between 0 and 1"));
    CHECK_THAT(error("within: 0, source: seen, stream: nowhere"), Catch::Contains("nowhere"));
    CHECK_THAT(error_of_steps("- driver_memory: {name: x, kind: file, size: 1, error: 0, "
                              "source: s}\n"),
               Catch::Contains("collective"));
}

TEST_CASE("what has no memory of the driver gives none back", "[driver]") {
    const std::string twice = nccl("error: 0, source: s") + "- free_driver_memory: nccl\n";
    CHECK_THAT(error_of_steps(twice + "- free_driver_memory: nccl\n"),
               Catch::Contains("`nccl` has no memory of the driver here"));
    CHECK_THAT(error_of_steps(nccl("error: 0, source: s") + "- free_driver_memory: nvcl\n"),
               Catch::Contains("did you mean `nccl`"));
}

TEST_CASE("measures tell what the driver holds, and its error", "[driver]") {
    const std::string steps = nccl("error: 1 MiB, source: s") + "- checkpoint: a\n" +
                              nccl("error: 2 MiB, source: s") + "- free_driver_memory: nccl\n";
    CHECK(measured(steps, "a.driver_bytes") == Value{std::int64_t{8 << 20}});
    CHECK(measured(steps, "a.driver_error_bytes") == Value{std::int64_t{1 << 20}});
    CHECK(measured(steps, "result.driver_bytes") == Value{std::int64_t{0}});
    CHECK_FALSE(measured("- checkpoint: a\n", "a.driver_bytes"));
}
