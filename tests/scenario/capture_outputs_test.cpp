// What becomes of the outputs of captured passes, in one graph and in segments.
#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

// The operations from the last allocation, the output's, on.
std::string end_of_capture(const std::string& options) {
    const std::string ops = ops_of(lowered(
        "scenario: t\n"
        "buckets: {b: [1]}\n"
        "streams: {s: {}}\n"
        "model:\n"
        "  out: y\n"
        "  do: [{f: {out: {x: 8}}}, {eager: [{g: {in_place: x}}]}, {h: {in: x, out: {y: 8}}}]\n"
        "phases:\n"
        "- alloc: {static: 8}\n"
        "- capture: {buckets: b, stream: s, raw: true, " +
        options + "}\n"));
    return ops.substr(ops.rfind("alloc"));
}

}  // namespace

TEST_CASE("outputs go before the end of a capture, behind it, or with the graph", "[phases]") {
    const std::string pass =
        "alloc model.y 8 on s\nkernel on s reads model.x writes model.y\nfree model.x\n";
    const auto [segments, end] = GENERATE(table<std::string, std::string>({
        {"", "end_capture graph[1]\n"},
        {"segments: weak, ", "end_capture graph[1][1]\nreplay graph[1][1] on default\n"},
    }));
    CAPTURE(segments);
    CHECK(end_of_capture(segments + "output: hold") == pass + end);
    CHECK(end_of_capture(segments + "output: drop") == pass + "free model.y\n" + end);
    CHECK(end_of_capture(segments + "output: late") == pass + end + "free model.y\n");
    CHECK(end_of_capture(segments + "output: {copy_to: static}") ==
          pass + "copy device_to_device 8 on s from model.y to static\nfree model.y\n" + end);
}
