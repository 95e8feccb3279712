#include <string>

#include <catch2/catch.hpp>

#include "tests/scenario/scenario_support.hpp"

namespace highwater {
namespace {

using test::lowered;
using test::ops_of;

std::string ops_of_phases(const std::string& phases) {
    return ops_of(
        lowered("scenario: t\n"
                "streams: {s: {}}\n"
                "buckets: {b: {list: [2, 1]}}\n"
                "model: {out: y, do: [{op: {out: {y: bucket * 8}}}]}\n"
                "phases:\n" +
                phases));
}

std::string capture_of(const std::string& bucket, const std::string& pool, const std::string& y) {
    return "synchronize\nempty_cache\nbegin_capture graph[" + bucket + "] on s" + pool +
           "\nalloc " + y + "\nkernel on s writes " + y.substr(0, y.find(' ')) + "\n";
}

}  // namespace

TEST_CASE("each bucket becomes a graph, its output lives with it", "[captures]") {
    CHECK(ops_of_phases("- capture: {buckets: b, stream: s}\n"
                        "- replay: {buckets: b}\n"
                        "- destroy_graphs: {buckets: b}\n") ==
          "make_pool_handle graphs\n" + capture_of("2", " into graphs", "model.y 16 on s") +
              "end_capture graph[2]\n" + capture_of("1", " into graphs", "model.y.2 8 on s") +
              "end_capture graph[1]\n"
              "replay graph[2] on default\nreplay graph[1] on default\n"
              "destroy_graph graph[2]\nfree model.y\n"
              "destroy_graph graph[1]\nfree model.y.2\n");
}

TEST_CASE("an output goes before the capture ends, or right after", "[captures]") {
    CHECK(ops_of_phases("- capture: {buckets: 2, stream: s, output: drop}\n") ==
          "make_pool_handle graphs\n" + capture_of("2", " into graphs", "model.y 16 on s") +
              "free model.y\nend_capture graph[2]\n");
    CHECK(ops_of_phases("- capture: {buckets: 2, stream: s, output: late}\n") ==
          "make_pool_handle graphs\n" + capture_of("2", " into graphs", "model.y 16 on s") +
              "end_capture graph[2]\nfree model.y\n");
}

TEST_CASE("an output may be copied to a static tensor in the capture", "[captures]") {
    CHECK(ops_of_phases("- alloc: {static: 16}\n"
                        "- capture: {buckets: 2, stream: s, output: {copy_to: static}}\n") ==
          "alloc static 16 on default\nmake_pool_handle graphs\n" +
              capture_of("2", " into graphs", "model.y 16 on s") +
              "copy device_to_device 16 on s from model.y to static\nfree model.y\nend_capture "
              "graph[2]\n");
}

TEST_CASE("a parameter decides what becomes of outputs", "[captures]") {
    const std::string text =
        "scenario: t\n"
        "parameters: {policy: {default: copy, type: text}}\n"
        "streams: {s: {}}\n"
        "model: {out: y, do: [{op: {out: {y: bucket * 8}}}]}\n"
        "phases:\n"
        "- alloc: {to: 16}\n"
        "- capture: {buckets: 2, stream: s, output: ";
    const std::string to = "{copy_to: to, mode: policy}}\n";
    CHECK(ops_of(lowered(text + to)).find("to \"to\"\n") != std::string::npos);
    CHECK(ops_of(lowered(text + to, {{"policy", "drop"}})).find("to \"to\"\n") ==
          std::string::npos);
    CHECK(test::error_of(text + "policy}\n") ==
          "s.yaml:7:44: error: a copy of the output without a tensor to copy it to; allocate one "
          "and write `output: {copy_to: tensor}`");
}

TEST_CASE("buckets share a pool, have one each, or share one by group", "[captures]") {
    CHECK(ops_of_phases("- capture: {buckets: 2, stream: s, pool: private, output: drop}\n") ==
          capture_of("2", "", "model.y 16 on s") + "free model.y\nend_capture graph[2]\n");
    const std::string groups =
        ops_of_phases("- capture: {buckets: [4, 3, 1], stream: s, pool: {of: bucket // 3}}\n");
    CHECK(groups.find("begin_capture graph[4] on s into graphs.1") != std::string::npos);
    CHECK(groups.find("begin_capture graph[3] on s into graphs.1") != std::string::npos);
    CHECK(groups.find("begin_capture graph[1] on s into graphs.0") != std::string::npos);
    CHECK(ops_of_phases("- graph_pool_handle: p\n"
                        "- capture: {buckets: 1, stream: s, pool: p}\n")
              .find("into p\n") != std::string::npos);
}

TEST_CASE("a raw capture begins without torch.cuda.graph's preparations", "[captures]") {
    CHECK(ops_of_phases("- capture: {buckets: 2, stream: s, raw: true, output: drop}\n") ==
          "make_pool_handle graphs\nbegin_capture graph[2] on s into graphs\n"
          "alloc model.y 16 on s\nkernel on s writes model.y\nfree model.y\n"
          "end_capture graph[2]\n");
}

}  // namespace highwater
