#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

TEST_CASE("a weight's size may follow from names of the template that uses its own", "[weights]") {
    const Program program = lowered(
        "scenario: t\n"
        "templates:\n"
        "  linear: {in: x, parameters: [width], weights: {w: 2 * width}, do: [op: {in: [x, w]}]}\n"
        "  block: {in: x, values: {half: 8}, do: [linear: {in: x, with: {width: half}}]}\n"
        "model: {do: [make: {out: {x: 4}}, block: {in: x}]}\n"
        "phases: [load_weights]\n");
    CHECK(ops_of(program) == "alloc model.block.linear.w 16 on default\n");
}
