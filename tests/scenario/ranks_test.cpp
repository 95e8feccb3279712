// Scenarios that several processes run.
#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

std::string ring(const std::string& more) {
    return "- communicator: {name: ring, size: 8 MiB, source: seen, " + more + "}\n";
}

std::uint32_t ranks_of(const std::string& ranks, const std::vector<Override>& overrides = {}) {
    return lowered("scenario: t\nparameters: {tp: 2}\n" + ranks + "steps: []\n", overrides)
        .machine.ranks;
}

}  // namespace

TEST_CASE("a scenario says how many processes run it", "[ranks]") {
    CHECK(ranks_of("") == 1);
    CHECK(ranks_of("ranks: 4\n") == 4);
    CHECK(ranks_of("ranks: 2 * tp\n", {parse_override("tp=8")}) == 16);
    for (const char* wrong : {"0", "1.5", "-1", "1e9", "\"'two'\""}) {
        INFO(wrong);
        CHECK_THAT(error_of("scenario: t\nsteps: []\nranks: " + std::string(wrong) + "\n"),
                   Catch::Contains("give a whole number of processes"));
    }
    CHECK_THAT(error_of("scenario: t\nsteps: []\nranks: tpp\n"), Catch::Contains("tpp"));
}

TEST_CASE("communicators and collectives go into the program", "[ranks]") {
    CHECK(ops_of_steps(ring("error: 1 MiB")) ==
          "make_communicator ring seen 8388608 error 1048576\n");
    // A share of all that it has once it is used.
    CHECK(ops_of_steps(ring("first_use: 8 MiB, captured: n * MiB, within: 0.5")) ==
          "make_communicator ring seen 8388608 first_use 8388608 captured 4194304 error 8388608\n");
    CHECK(ops_of_steps(ring("error: 0") +
                       "- alloc: {x: 512}\n"
                       "- collective: {all_reduce: x, communicator: ring}\n"
                       "- collective: {all_reduce: x, communicator: ring, stream: a, width: 0.25}\n"
                       "- free_driver_memory: ring\n") ==
          "make_communicator ring seen 8388608\n"
          "alloc x 512 on default\n"
          "all_reduce x ring on default\n"
          "all_reduce x ring on a width 0.25\n"
          "remove_driver_memory ring\n");
}

TEST_CASE("what is wrong with a collective is said where it stands", "[ranks]") {
    const std::string made = ring("error: 0") + "- alloc: {x: 512}\n";
    CHECK_THAT(error_of_steps(made + "- collective: {all_reduce: x, communicator: rang}\n"),
               Catch::StartsWith("s.yaml:7:") && Catch::Contains("did you mean `ring`"));
    CHECK_THAT(
        error_of_steps("- alloc: {x: 512}\n- collective: {all_reduce: x, communicator: c}\n"),
        Catch::Contains("make it before, with `communicator`"));
    CHECK_THAT(error_of_steps(made + "- collective: {all_reduce: y, communicator: ring}\n"),
               Catch::Contains("`y`"));
    CHECK_THAT(error_of_steps(made + "- collective: {communicator: ring}\n"),
               Catch::Contains("all_reduce"));
    CHECK_THAT(error_of_steps(ring("error: 0") + ring("error: 0")),
               Catch::Contains("is there already"));
    CHECK_THAT(error_of_steps(ring("error: 0, within: 0.1")),
               Catch::Contains("an `error` and a `within`"));
}
