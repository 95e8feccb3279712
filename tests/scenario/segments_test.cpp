#include <string>

#include <catch2/catch.hpp>

#include "tests/scenario/scenario_support.hpp"

namespace highwater {
namespace {

using test::error_of;
using test::lowered;
using test::ops_of;

std::string scenario(const std::string& phases) {
    return "scenario: t\n"
           "streams: {s: {}}\n"
           "model:\n"
           "  out: y\n"
           "  do:\n"
           "  - qkv: {out: {q: bucket * 8}}\n"
           "  - eager:\n"
           "    - attention: {in: q, out: {a: bucket * 4}}\n"
           "  - proj: {in: a, out: {y: bucket * 2}}\n"
           "phases:\n" +
           phases;
}

std::string capture_of(const std::string& segments) {
    return ops_of(lowered(
        scenario("- capture: {buckets: 2, stream: s, raw: true, segments: " + segments + "}\n")));
}

const std::string kFirst =
    "make_pool_handle graphs\n"
    "begin_capture graph[2][0] on s into graphs\n"
    "alloc model.q 16 on s\nkernel on s writes model.q\n"
    "end_capture graph[2][0]\nreplay graph[2][0] on default\n";
const std::string kLast =
    "begin_capture graph[2][1] on s into graphs\n"
    "alloc model.y 4 on s\nkernel on s reads model.a writes model.y\nfree model.a\n"
    "end_capture graph[2][1]\nreplay graph[2][1] on default\n";

}  // namespace

TEST_CASE("what crosses to the next segment is held with the graphs", "[segments]") {
    CHECK(capture_of("strong") ==
          kFirst + "alloc model.a 8 on default\nkernel on default reads model.q writes model.a\n" +
              kLast);
}

TEST_CASE("what crosses weakly goes with its last use", "[segments]") {
    CHECK(capture_of("weak") == kFirst +
                                    "alloc model.a 8 on default\n"
                                    "kernel on default reads model.q writes model.a\n"
                                    "free model.q\n" +
                                    kLast);
}

TEST_CASE("what crosses may be copied to a buffer that all segments share", "[segments]") {
    CHECK(capture_of("copy") ==
          kFirst +
              "alloc static.model.q 16 on default\n"
              "copy device_to_device 16 on default from model.q to static.model.q\n"
              "free model.q\n"
              "alloc model.a 8 on default\n"
              "kernel on default reads static.model.q writes model.a\n" +
              kLast);
}

TEST_CASE("a static buffer made by a smaller bucket is refused", "[segments]") {
    CHECK(
        error_of(scenario("- capture: {buckets: [1, 2], stream: s, segments: copy}\n")) ==
        "s.yaml:7:5: error: the static buffer of `model.q` has 8 bytes, made by the first bucket, "
        "and a later one needs 16; capture the largest bucket first: `order: desc`");
}

TEST_CASE("a replay runs what lies between the graphs anew", "[segments]") {
    const std::string ops =
        ops_of(lowered(scenario("- capture: {buckets: 2, stream: s, raw: true, "
                                "segments: weak}\n"
                                "- checkpoint: here\n"
                                "- replay: {buckets: 2}\n")));
    CHECK(ops.substr(ops.find("checkpoint")) ==
          "checkpoint here\n"
          "replay graph[2][0] on default\n"
          "alloc model.a 8 on default\nkernel on default writes model.a\nfree model.a\n"
          "replay graph[2][1] on default\n");
}

TEST_CASE("a name that a replayed graph binds anew holds nothing of before", "[segments]") {
    const std::string text =
        "scenario: t\n"
        "streams: {s: {}}\n"
        "templates: {t: {in: x, out: y, do: [{lin: {in: x, out: {y: 2}}}]}}\n"
        "model:\n"
        "  out: x\n"
        "  do:\n"
        "  - eager: [{embed: {out: {x: 64}}}]\n"
        "  - t: {in: x, out: x}\n"
        "  - eager: [{attend: {in: x, out: {a: 32}}}]\n"
        "  - t: {in: a, out: x}\n"
        "phases:\n"
        "- capture: {buckets: 1, stream: s, raw: true, segments: weak, output: drop}\n"
        "- checkpoint: here\n"
        "- replay: {buckets: 1}\n";
    const std::string ops = ops_of(lowered(text));
    CHECK(ops.substr(ops.find("checkpoint")) ==
          "checkpoint here\n"
          "alloc model.x 64 on default\nkernel on default writes model.x\nfree model.x\n"
          "replay graph[1][0] on default\n"
          "alloc model.a 32 on default\nkernel on default writes model.a\nfree model.a\n"
          "replay graph[1][1] on default\n");
}

TEST_CASE("a replay of another model than the captured one is refused", "[segments]") {
    const std::string text =
        "scenario: t\n"
        "streams: {s: {}}\n"
        "workspaces: {w: 8}\n"
        "templates:\n"
        "  m: {parameters: [k], do: [{repeat: k, do: [{op: {uses: w}}, {eager: []}]}]}\n"
        "steps:\n"
        "- capture: {model: m, buckets: 1, stream: s, segments: weak, with: {k: 3}}\n"
        "- replay: {model: m, buckets: 1, with: {k: ";
    const std::string error =
        "s.yaml:8:3: error: the replay does not come by the 3 graphs that were captured; replay "
        "the model that was captured, `with` the same";
    CHECK(error_of(text + "2}}\n") == error);
    CHECK(error_of(text + "4}}\n").find("does not come by the 3 graphs") != std::string::npos);
    CHECK(error_of(text + "3}}\n") == "accepted");
}

TEST_CASE("without segments the whole pass is one graph", "[segments]") {
    const std::string ops =
        ops_of(lowered(scenario("- capture: {buckets: 2, stream: s, raw: true}\n")));
    CHECK(ops.find("kernel on s reads model.q writes model.a") != std::string::npos);
    CHECK(ops.find("graph[2]\n") != std::string::npos);
}

}  // namespace highwater
