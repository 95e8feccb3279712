#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

TEST_CASE("a map of tensors is allocated in the order written", "[steps]") {
    CHECK(ops_of_steps("- alloc: {x: 1 KiB, y: n * 2, z: 0}\n"
                       "- free: [y, x]\n"
                       "- free: z\n") ==
          "alloc x 1024 on default\n"
          "alloc y 8 on default\n"
          "alloc z 0 on default\n"
          "free y\n"
          "free x\n"
          "free z\n");
}

TEST_CASE("a tensor's name may be used again once it is freed", "[steps]") {
    const Program program =
        lowered("scenario: t\nsteps:\n- alloc: {x: 1}\n- free: x\n- alloc: {x: 2}\n");
    CHECK(program.tensors == std::vector<std::string>{"x"});
    CHECK(ops_of(program) == "alloc x 1 on default\nfree x\nalloc x 2 on default\n");
}

TEST_CASE("`on` sets the current stream for its steps only", "[steps]") {
    CHECK(ops_of_steps("- on: a\n"
                       "  do:\n"
                       "  - alloc: {x: 1}\n"
                       "  - on: many[n - 2]\n"
                       "    do: [{alloc: {y: 1}}]\n"
                       "  - kernel: {reads: [x], writes: y}\n"
                       "- kernel: {stream: b}\n"
                       "- kernel\n") ==
          "alloc x 1 on a\n"
          "alloc y 1 on many[2]\n"
          "kernel on a reads x writes y\n"
          "kernel on b\n"
          "kernel on default\n");
}

TEST_CASE("waiting for a stream records an event there and waits for it", "[steps]") {
    CHECK(ops_of_steps("- wait: {stream: a, for: current}\n"
                       "- on: b\n"
                       "  do: [{wait: {for: a}}]\n") ==
          "record_event default.wait_stream on default\n"
          "wait_event default.wait_stream on a\n"
          "record_event a.wait_stream on a\n"
          "wait_event a.wait_stream on b\n");
}

TEST_CASE("events are recorded and waited for by name", "[steps]") {
    CHECK(ops_of_steps("- record_event: ready\n"
                       "- record_event: {event: \"done[1]\", stream: a}\n"
                       "- wait_event: {event: ready, stream: b}\n"
                       "- wait_event: done[1]\n") ==
          "record_event ready on default\n"
          "record_event done[1] on a\n"
          "wait_event ready on b\n"
          "wait_event done[1] on default\n");
}

TEST_CASE("a tensor is recorded on the current stream or on a named one", "[steps]") {
    CHECK(ops_of_steps("- alloc: {x: 1}\n"
                       "- record_stream: {tensor: x, stream: a}\n"
                       "- record_stream: x\n") ==
          "alloc x 1 on default\n"
          "record_stream x on a\n"
          "record_stream x on default\n");
}

TEST_CASE("the host waits for all streams or for one", "[steps]") {
    CHECK(ops_of_steps("- sync\n- sync:\n- sync: all\n- sync: a\n- sync: current\n") ==
          "synchronize\nsynchronize\nsynchronize\nsynchronize on a\nsynchronize on default\n");
}

TEST_CASE("steps without an argument stand alone", "[steps]") {
    CHECK(ops_of_steps("- empty_cache\n- reset_peaks\n- empty_cache: {}\n- reset_peaks:\n") ==
          "empty_cache\nreset_peaks\nempty_cache\nreset_peaks\n");
}

TEST_CASE("checkpoints, settings and held streams become operations", "[steps]") {
    CHECK(ops_of_steps("- checkpoint: before\n"
                       "- checkpoint: bucket[n]\n"
                       "- set_allocator: \"max_split_size_mb:64\"\n"
                       "- set_allocator: \"\"\n"
                       "- hold: a\n"
                       "- release: a\n") ==
          "checkpoint before\n"
          "checkpoint bucket[4]\n"
          "set_allocator_settings max_split_size_mb:64\n"
          "set_allocator_settings \"\"\n"
          "hold_stream a\n"
          "release_stream a\n");
}

TEST_CASE("a loop counts its index from 0", "[steps]") {
    CHECK(ops_of_steps("- for: {i: 2}\n"
                       "  do:\n"
                       "  - for: {j: i + 1}\n"
                       "    do: [{checkpoint: \"c[i][j]\"}]\n"
                       "- repeat: n // 2\n"
                       "  do: [sync]\n"
                       "- repeat: 0\n"
                       "  do: [empty_cache]\n") ==
          "checkpoint c[0][0]\ncheckpoint c[1][0]\ncheckpoint c[1][1]\nsynchronize\nsynchronize\n");
}

TEST_CASE("a choice runs one side, and `when` is a choice on any step", "[steps]") {
    CHECK(ops_of_steps("- if: n == 4\n"
                       "  then: [{checkpoint: yes_}]\n"
                       "  else: [{checkpoint: no_}]\n"
                       "- if: n == 5\n"
                       "  then: [{checkpoint: yes_}]\n"
                       "- {sync: a, when: n > 3}\n"
                       "- {sync: b, when: n > 4}\n"
                       "- repeat: 2\n"
                       "  when: n == 4\n"
                       "  do: [empty_cache]\n") ==
          "checkpoint yes_\nsynchronize on a\nempty_cache\nempty_cache\n");
}

TEST_CASE("the side of a choice that is not taken is not carried out", "[steps]") {
    CHECK(ops_of_steps("- if: n == 5\n  then: [{free: never_allocated}]\n") == "");
}

TEST_CASE("a procedure sees its own parameters and the scenario's", "[steps]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "parameters: {n: 4}\n"
                         "procedures:\n"
                         "  layer: {parameters: [size], do: [{alloc: {x: size * n}}, {free: x}]}\n"
                         "  twice:\n"
                         "  - {repeat: 2, call: layer, with: {size: 3}}\n"
                         "steps:\n"
                         "- call: twice\n"
                         "- for: {i: 2}\n"
                         "  call: layer\n"
                         "  with: {size: i + 1}\n")) ==
          "alloc x 12 on default\nfree x\n"
          "alloc x 12 on default\nfree x\n"
          "alloc x 4 on default\nfree x\n"
          "alloc x 8 on default\nfree x\n");
}

TEST_CASE("a procedure runs on its caller's stream", "[steps]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "streams: {a: {}}\n"
                         "procedures: {p: [{alloc: {x: 1}}]}\n"
                         "steps: [{on: a, call: p}]\n")) == "alloc x 1 on a\n");
}

TEST_CASE("every operation has the place it was written at", "[steps]") {
    const Program program = lowered(
        "scenario: t\n"
        "procedures:\n"
        "  p:\n"
        "  - alloc: {x: 1, y: 2}\n"
        "steps:\n"
        "- call: p\n"
        "- free: [x,\n"
        "         y]\n");
    CHECK(program.places.all() ==
          std::vector<SourcePlace>{
              {"s.yaml", 4, 13}, {"s.yaml", 4, 19}, {"s.yaml", 7, 10}, {"s.yaml", 8, 10}});
}
