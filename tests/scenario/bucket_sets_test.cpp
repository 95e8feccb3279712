#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

TEST_CASE("the order of buckets is written short or as the engines' presets have it", "[buckets]") {
    const auto [order, first] = GENERATE(table<std::string, std::string>({
        {"asc", "4"},
        {"ascending", "4"},
        {"desc", "8"},
        {"descending", "8"},
        {"bucket_order", "8"},
        {"given", "6"},
    }));
    const Program program = lowered(
        "scenario: t\n"
        "extends: engines/sglang\n"
        "buckets: {b: {list: [6, 8, 4], order: " + order + "}}\n"
        "model: {out: x, do: [make: {out: {x: bucket}}]}\n"
        "phases: [forward: {buckets: b}]\n");
    CHECK(ops_of(program).starts_with("alloc model.x " + first + " on default\n"));
}
