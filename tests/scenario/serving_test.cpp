#include <string>

#include <catch2/catch.hpp>

#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/result/measures.hpp"
#include "tests/scenario/scenario_support.hpp"

namespace highwater {
namespace {

using test::lowered;
using test::ops_of;

std::string scenario(const std::string& phases) {
    return "scenario: t\n"
           "streams: {s: {}}\n"
           "buckets: {b: {list: [4, 2]}}\n"
           "model: {out: y, do: [{op: {out: {y: bucket * 8}}}]}\n"
           "phases:\n" +
           phases +
           "measures: {batches: served.batches, rows: served.rows, padding: served.padding}\n";
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

}  // namespace

TEST_CASE("a batch is served by the smallest bucket that holds it, or eagerly", "[serving]") {
    const Scenario form = load_scenario(scenario("- capture: {buckets: b, stream: s}\n"
                                                 "- serve: {buckets: b, batches: [1, 2, 3, 9]}\n"),
                                        "s.yaml");
    const ParameterValues values = resolve_parameters(form);
    const Lowered lowered = lower(form, values);
    CHECK(lowered.served == std::vector<ServedBucket>{{2, 2, 3, 1, "graph[2]"},
                                                      {4, 1, 3, 1, "graph[4]"},
                                                      {std::nullopt, 1, 9, 0, ""}});
    const std::string ops = ops_of(lowered.program);
    CHECK(
        ops.ends_with("replay graph[2] on default\nreplay graph[2] on default\n"
                      "replay graph[4] on default\n"
                      "alloc model.y.3 72 on default\nkernel on default writes model.y.3\n"
                      "free model.y.3\n"));
    const auto measures = evaluate_measures(form, values, lowered.program, {}, lowered.served);
    CHECK(measures == std::vector<Measure>{{"batches", Value{std::int64_t{4}}},
                                           {"rows", Value{std::int64_t{15}}},
                                           {"padding", Value{std::int64_t{2}}}});
}

TEST_CASE("a lazy capture comes with the first batch of its bucket", "[serving]") {
    const std::string ops = ops_of(
        lowered(scenario("- serve: {buckets: b, batches: [3, 4, 1], stream: s, capture: lazy}\n")));
    CHECK(count(ops, "begin_capture") == 2);
    CHECK(count(ops, "replay graph[4]") == 2);
    CHECK(ops.find("begin_capture graph[4]") < ops.find("begin_capture graph[2]"));
}

TEST_CASE("a graph captured anew is destroyed first, or leaks with its output", "[serving]") {
    const std::string released = ops_of(
        lowered(scenario("- serve: {buckets: b, batches: [4, 4], stream: s, capture: always}\n")));
    CHECK(count(released, "destroy_graph graph[4]\nfree model.y\n") == 1);
    const std::string leaked = ops_of(lowered(scenario(
        "- serve: {buckets: b, batches: [4, 4], stream: s, capture: always, release: false}\n")));
    CHECK(count(leaked, "destroy_graph") == 0);
    CHECK(count(leaked, "free") == 0);
    CHECK(leaked.find("begin_capture graph[4].2 on s") != std::string::npos);
}

}  // namespace highwater
