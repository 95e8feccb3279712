#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/scenario/scenario_support.hpp"

namespace highwater {
namespace {

using test::lowered;
using test::ops_of;

// A model of two dense layers and one other, each with a weight and a side stream.
std::string model(const std::string& streams, const std::string& phases) {
    return "scenario: t\n"
           "parameters: {mode: {default: layer, type: text}}\n"
           "streams: {" +
           streams +
           "}\n"
           "templates:\n"
           "  dense:\n"
           "    in: x\n"
           "    out: y\n"
           "    weights: {w: 100 + layer}\n"
           "    do: [{op: {in: [x, w], out: {y: rows * 8}}}]\n"
           "  other: {in: x, weights: {v: 7}, do: [{branch: {name: b, stream: aux, do: [{op: {in: "
           "x}}]}}]}\n"
           "model:\n"
           "  values: {rows: bucket * 2}\n"
           "  weights: {table: 50}\n"
           "  out: x\n"
           "  do:\n"
           "  - embed: {in: table, out: {x: rows * 8}}\n"
           "  - layers: 2\n"
           "    do: [{dense: {in: x, out: x}}]\n"
           "  - layers: 1\n"
           "    do: [{other: {in: x}}]\n"
           "phases:\n"
           "- load_weights\n" +
           phases;
}

const std::string kWeights =
    "alloc model.table 50 on default\n"
    "alloc model.dense[0].w 100 on default\n"
    "alloc model.dense[1].w 101 on default\n"
    "alloc model.other[2].v 7 on default\n";

std::string ops_after_weights(const std::string& text) {
    const std::string ops = ops_of(lowered(text));
    REQUIRE(ops.starts_with(kWeights));
    return ops.substr(kWeights.size());
}

}  // namespace

TEST_CASE("weights are loaded once for each place and layer that uses a template", "[passes]") {
    CHECK(ops_after_weights(model("aux: {}", "")) == "");
}

TEST_CASE("a pass runs the model for a bucket and drops what it returns", "[passes]") {
    CHECK(ops_after_weights(model("aux: {}", "- forward: {buckets: 3}\n")) ==
          "alloc model.x 48 on default\nkernel on default reads model.table writes model.x\n"
          "alloc model.dense[0].y 48 on default\n"
          "kernel on default reads model.x model.dense[0].w writes model.dense[0].y\n"
          "free model.x\n"
          "alloc model.dense[1].y 48 on default\n"
          "kernel on default reads model.dense[0].y model.dense[1].w writes model.dense[1].y\n"
          "free model.dense[0].y\n"
          "record_event default.wait_stream on default\nwait_event default.wait_stream on aux\n"
          "kernel on aux reads model.dense[1].y\n"
          "free model.dense[1].y\n");
}

TEST_CASE("a stream per layer, one for all, or none", "[passes]") {
    const auto [mode, side] = GENERATE(table<std::string, std::string>({
        {"layer", "on aux[2] reads"},
        {"per-layer", "on aux[2] reads"},
        {"shared", "on aux[0] reads"},
        {"none", "on default reads model.dense[1].y\nfree"},
    }));
    const std::string text =
        model("aux: {count: 3, per: " + mode + "}", "- forward: {buckets: 1}\n");
    CHECK(ops_after_weights(text).find(side) != std::string::npos);
    const std::string by_parameter =
        model("aux: {count: 3, per: mode}", "- forward: {buckets: 1}\n");
    CHECK(ops_of(lowered(by_parameter, {{"mode", mode}})) == ops_of(lowered(text)));
}

TEST_CASE("a side stream may be left to small batches", "[passes]") {
    const std::string ops = ops_after_weights(
        model("aux: {count: 3, per: shared, when: rows <= 4}", "- forward: {buckets: [2, 3]}\n"));
    CHECK(ops.find("kernel on aux[0]") != std::string::npos);
    CHECK(ops.find("kernel on aux[0]") == ops.rfind("kernel on aux[0]"));
}

TEST_CASE("a warm-up waits for the stream before it, and is waited for", "[passes]") {
    const std::string ops = ops_after_weights(
        model("aux: {}, s: {}", "- warm_up: {buckets: [2], times: 2, stream: s}\n"));
    CHECK(
        ops.starts_with("record_event default.wait_stream on default\n"
                        "wait_event default.wait_stream on s\n"
                        "alloc model.x 32 on s\n"));
    CHECK(ops.ends_with("record_event s.wait_stream on s\nwait_event s.wait_stream on default\n"));
    CHECK(ops.find("alloc model.x 32", ops.find("alloc model.x 32") + 1) != std::string::npos);
}

TEST_CASE("a forward pass may keep what it returns", "[passes]") {
    const std::string ops =
        ops_after_weights(model("aux: {}", "- forward: {buckets: [2, 3], out: y}\n- free: y\n"));
    CHECK(ops.ends_with("free model.dense[1].y\nfree model.dense[1].y.2\n"));
}

TEST_CASE("a cache takes the tokens it is given, or the rest", "[passes]") {
    CHECK(ops_after_weights(model(
              "aux: {}",
              "- kv_cache: {bytes_per_token: 10, tokens: 5, block: 4}\n- free: kv_cache\n")) ==
          "alloc kv_cache 80 on default\nfree kv_cache\n");
    CHECK(ops_after_weights(model("aux: {}",
                                  "- kv_cache: {tensor: kv, bytes_per_token: 10, tokens: rest, "
                                  "block: 4, keep_free: 1 GiB}\n")) ==
          "alloc_rest kv 40 1073741824 on default\n");
}

TEST_CASE("what a pass is given may depend on where it stands", "[passes]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "templates: {m: {parameters: [k], do: [{op: {out: {x: k}}}]}}\n"
                         "steps:\n"
                         "- for: {i: 2}\n"
                         "  do: [{forward: {model: m, buckets: 5, with: {k: bucket + i}}}]\n")) ==
          "alloc m.x 5 on default\nkernel on default writes m.x\nfree m.x\n"
          "alloc m.x 6 on default\nkernel on default writes m.x\nfree m.x\n");
}

TEST_CASE("layers that are run again are the same layers", "[passes]") {
    const std::string ops =
        ops_of(lowered("scenario: t\n"
                       "templates: {l: {weights: {w: 8}, do: [{op: {in: w}}]}}\n"
                       "model: {do: [{repeat: 2, do: [{layers: 2, do: [l]}]}]}\n"
                       "phases: [load_weights, {forward: {buckets: 1}}]\n"));
    CHECK(ops ==
          "alloc model.l[0].w 8 on default\nalloc model.l[1].w 8 on default\n"
          "kernel on default reads model.l[0].w\nkernel on default reads model.l[1].w\n"
          "kernel on default reads model.l[0].w\nkernel on default reads model.l[1].w\n");
}

TEST_CASE("templates that use each other without end take a bounded room", "[passes]") {
    std::string text = "scenario: t\ntemplates:\n";
    for (int i = 0; i < 30; ++i) {
        text += fmt::format("  t{}: {{do: [t{}, t{}]}}\n", i, i + 1, i + 1);
    }
    text += "  t30: {do: []}\nmodel: {do: [t0]}\nphases: [load_weights]\n";
    CHECK(test::error_of(text).find("templates use each other so often") != std::string::npos);
}

}  // namespace highwater
