#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

TEST_CASE("a capture synchronises and empties the cache first, as torch.cuda.graph does",
          "[graphs]") {
    CHECK(ops_of_steps("- capture: {graph: g, stream: a, do: [kernel]}\n"
                       "- replay: g\n"
                       "- replay: {graph: g, stream: b}\n"
                       "- destroy_graph: g\n") ==
          "synchronize\n"
          "empty_cache\n"
          "begin_capture g on a\n"
          "kernel on a\n"
          "end_capture g\n"
          "replay g on default\n"
          "replay g on b\n"
          "destroy_graph g\n");
}

TEST_CASE("a capture that is tried may be taken again under its name", "[graphs]") {
    const std::string capture = "{capture: {graph: g, stream: a, raw: true, do: []}}";
    CHECK(error_of_steps("- " + capture + "\n- " + capture + "\n")
              .find("the graph `g` is captured already") != std::string::npos);
    CHECK(error_of_steps("- {try: t, do: [" + capture + "]}\n- " + capture + "\n") == "accepted");
    CHECK(
        error_of_steps("- {try: t, do: [" + capture + "]}\n- " + capture + "\n- " + capture + "\n")
            .find("the graph `g` is captured already") != std::string::npos);
}

TEST_CASE("a raw capture begins at once, on the current stream", "[graphs]") {
    CHECK(ops_of_steps("- on: a\n"
                       "  do: [{capture: {graph: g, raw: true, do: []}}]\n") ==
          "begin_capture g on a\nend_capture g\n");
}

TEST_CASE("captures without a stream share one that is taken at the first of them", "[graphs]") {
    const Program program = lowered(
        "scenario: t\n"
        "streams: {a: {count: 31}}\n"
        "steps:\n"
        "- for: {i: 2}\n"
        "  do: [{capture: {graph: \"g[i]\", do: [kernel]}}]\n");
    CHECK(program.streams.size() == 33);
    CHECK(program.streams.back().name == "torch.cuda.graph.default_capture_stream");
    CHECK(ops_of(program).find("begin_capture g[1] on "
                               "torch.cuda.graph.default_capture_stream") != std::string::npos);
}

TEST_CASE("captures share the pool whose handle was taken before them", "[graphs]") {
    CHECK(
        ops_of_steps("- graph_pool_handle: p\n"
                     "- for: {i: 2}\n"
                     "  do: [{capture: {graph: \"g[i]\", stream: a, pool: p, raw: true, do: []}}]\n"
                     "- graph_pool_handle: q\n") ==
        "make_pool_handle p\n"
        "begin_capture g[0] on a into p\n"
        "end_capture g[0]\n"
        "begin_capture g[1] on a into p\n"
        "end_capture g[1]\n"
        "make_pool_handle q\n");
}

TEST_CASE("a memory pool is created, used and destroyed", "[graphs]") {
    CHECK(ops_of_steps("- mem_pool: p\n"
                       "- mem_pool: {pool: q, use_on_oom: true, no_split: true}\n"
                       "- use_mem_pool: {pool: p, do: [{alloc: {x: 1}}]}\n"
                       "- capture: {graph: g, stream: a, pool: q, raw: true, do: []}\n"
                       "- destroy_mem_pool: p\n"
                       "- mem_pool: p\n") ==
          "create_pool p\n"
          "create_pool q use_on_oom no_split\n"
          "enter_pool p\n"
          "alloc x 1 on default\n"
          "leave_pool p\n"
          "begin_capture g on a into q\n"
          "end_capture g\n"
          "destroy_pool p\n"
          "create_pool p\n");
}

TEST_CASE("a graph may be captured again once it is destroyed", "[graphs]") {
    const std::string capture = "- capture: {graph: g, stream: a, raw: true, do: []}\n";
    CHECK(ops_of_steps(capture + "- destroy_graph: g\n" + capture) ==
          "begin_capture g on a\n"
          "end_capture g\n"
          "destroy_graph g\n"
          "begin_capture g on a\n"
          "end_capture g\n");
    CHECK(error_of_steps(capture + capture) ==
          "s.yaml:6:20: error: the graph `g` is captured already; destroy it first, or use another "
          "name");
}

TEST_CASE("graphs out of their order are refused", "[graphs]") {
    const std::string capture = "- capture: {graph: g, stream: a, do: []}\n";
    const auto [steps, error] = GENERATE_COPY(table<std::string, std::string>({
        {"- replay: g\n", "5:11: error: the graph `g` has not been captured; capture it first"},
        {capture + "- replay: h\n",
         "6:11: error: the graph `h` has not been captured; did you mean `g`?"},
        {capture + "- destroy_graph: g\n- replay: g\n",
         "7:11: error: the graph `g` is destroyed; capture it first"},
        {"- capture: {graph: g, stream: a, do: [replay: g]}\n",
         "5:47: error: the capture of `g` has not ended; move this behind the capture"},
    }));
    CHECK(error_of_steps(steps) == "s.yaml:" + error);
}

TEST_CASE("pools out of their order are refused", "[graphs]") {
    const auto [steps, error] = GENERATE(table<std::string, std::string>({
        {"- use_mem_pool: {pool: p, do: []}\n",
         "5:24: error: there is no pool `p`; create it first, with `mem_pool`"},
        {"- graph_pool_handle: p\n- use_mem_pool: {pool: p, do: []}\n",
         "6:24: error: the pool `p` is a graph's; create it first, with `mem_pool`"},
        {"- mem_pool: p\n- mem_pool: p\n",
         "6:13: error: the pool `p` exists already; destroy it first, or use another name"},
        {"- graph_pool_handle: p\n- graph_pool_handle: p\n",
         "6:22: error: the pool `p` exists already; use another name"},
        {"- mem_pool: p\n- destroy_mem_pool: p\n- destroy_mem_pool: p\n",
         "7:21: error: there is no pool `p`; create it first, with `mem_pool`"},
        {"- mem_pool: p\n- use_mem_pool: {pool: p, do: [destroy_mem_pool: p]}\n",
         "6:50: error: the pool `p` is in use here; destroy it behind `use_mem_pool`"},
        {"- mem_pool: p\n- destroy_mem_pool: p\n"
         "- capture: {graph: g, stream: a, pool: p, do: []}\n",
         "7:40: error: the pool `p` is destroyed; create it anew, or use another"},
    }));
    CHECK(error_of_steps(steps) == "s.yaml:" + error);
}

TEST_CASE("a capture makes no pool of its own accord", "[graphs]") {
    const std::string capture = "- capture: {graph: g1, stream: a, do: []}\n";
    const std::string not_a_pool =
        " is a graph, not a pool; take `graph_pool_handle: p` before the first capture and give "
        "both `pool: p`";
    const auto [steps, error] = GENERATE_COPY(table<std::string, std::string>({
        {capture + "- capture: {graph: g2, stream: a, pool: g1, do: []}\n",
         "6:41: error: `g1`" + not_a_pool},
        {capture + "- destroy_graph: g1\n- capture: {graph: g2, stream: a, pool: g1, do: []}\n",
         "7:41: error: `g1`" + not_a_pool},
        {"- capture: {graph: g2, stream: a, pool: g2, do: []}\n", "5:41: error: `g2`" + not_a_pool},
        {"- capture: {graph: g, stream: a, pool: pol, do: []}\n",
         "5:40: error: there is no pool `pol`; make it first, with `graph_pool_handle: pol` or "
         "`mem_pool: pol`"},
        {"- graph_pool_handle: pool\n- capture: {graph: g, stream: a, pool: pol, do: []}\n",
         "6:40: error: there is no pool `pol`; did you mean `pool`?"},
        {"- mem_pool: zebra\n- capture: {graph: g, stream: a, pool: pol, do: []}\n",
         "6:40: error: there is no pool `pol`; known are `zebra`"},
    }));
    CHECK(error_of_steps(steps) == "s.yaml:" + error);
}
