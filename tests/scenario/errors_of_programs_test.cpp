#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater::test;

TEST_CASE("tensors are allocated once and freed once", "[errors]") {
    const auto [steps, error] = GENERATE(table<std::string, std::string>({
        {"- free: x\n", "5:9: error: `x` is not allocated; allocate it first"},
        {"- alloc: {tmp: 1}\n- free: tpm\n",
         "6:9: error: `tpm` is not allocated; did you mean `tmp`?"},
        {"- alloc: {hidden: 1}\n- free: hiden\n",
         "6:9: error: `hiden` is not allocated; did you mean `hidden`?"},
        {"- alloc: {x: 1}\n- free: x\n- free: x\n",
         "7:9: error: `x` has been freed in line 6; free it once, after its last use"},
        {"- alloc: {x: 1}\n- free: [x, x]\n",
         "6:13: error: `x` has been freed in line 6; free it once, after its last use"},
        {"- alloc: {x: 1}\n- alloc: {x: 1}\n",
         "6:11: error: `x` is allocated already; free it first, or use another name"},
        {"- repeat: 2\n  do:\n  - alloc: {x: 1}\n",
         "7:13: error: `x` is allocated already; free it first, or use another name"},
        {"- for: {i: 2}\n  do:\n  - alloc:\n      x[i]: 1\n- free: x\n",
         "9:9: error: `x` is not allocated; known are `x[0]`, `x[1]`"},
        {"- kernel: {reads: [x]}\n", "5:20: error: `x` is not allocated; allocate it first"},
        {"- alloc: {x: 1}\n- free: x\n- kernel: {writes: x}\n",
         "7:20: error: `x` has been freed in line 6; move the `free` after this use"},
        {"- alloc: {x: 1}\n- free: x\n- kernel: {reads: [x]}\n",
         "7:20: error: `x` has been freed in line 6; move the `free` after this use"},
        {"- alloc: {x: 1}\n- free: x\n- record_stream: {tensor: x, stream: a}\n",
         "7:27: error: `x` has been freed in line 6; move the `free` after this use"},
        {"- alloc: {x: 1}\n- free: x\n- alloc: {x: 1}\n- free: x\n- kernel: {reads: x}\n",
         "9:19: error: `x` has been freed in line 8; move the `free` after this use"},
        {"- record_stream: {tensor: x, stream: a}\n",
         "5:27: error: `x` is not allocated; allocate it first"},
    }));
    CHECK(error_of_steps(steps) == "s.yaml:" + error);
}

TEST_CASE("an event may be waited for before it is recorded, or without", "[errors]") {
    CHECK(ops_of_steps("- wait_event: e\n") == "wait_event e on default\n");
    CHECK(ops_of_steps("- wait_event: done[1]\n- record_event: done[0]\n- record_event: dune\n") ==
          "wait_event done[1] on default\nrecord_event done[0] on default\n"
          "record_event dune on default\n");
    CHECK(ops_of_steps("- repeat: 2\n  do: [{wait_event: done}, {record_event: done}]\n") ==
          "wait_event done on default\nrecord_event done on default\n"
          "wait_event done on default\nrecord_event done on default\n");
}

TEST_CASE("an event that is never recorded is no slip in the name of another", "[errors]") {
    CHECK(error_of_steps("- wait: {for: a}\n- record_event: done\n- wait_event: dome\n") ==
          "s.yaml:7:15: error: the event `dome` is never recorded; did you mean `done`?");
    CHECK(error_of_steps("- query_event: dome[2]\n- record_event: done[2]\n") ==
          "s.yaml:5:16: error: the event `dome[2]` is never recorded; did you mean `done`?");
}

TEST_CASE("streams are held once and released once", "[errors]") {
    const auto [steps, error] = GENERATE(table<std::string, std::string>({
        {"- hold: a\n- hold: a\n", "6:9: error: the stream is held already; release it first"},
        {"- release: a\n", "5:12: error: the stream is not held; hold it first"},
    }));
    CHECK(error_of_steps(steps) == "s.yaml:" + error);
    CHECK(ops_of_steps("- hold: a\n- sync: b\n") == "hold_stream a\nsynchronize on b\n");
}

TEST_CASE("procedures are called as they are defined", "[errors]") {
    const std::string head = "scenario: t\nprocedures:\n";
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"  p: [sync]\nsteps:\n- call: q\n",
         "5:9: error: unknown procedure `q`; did you mean `p`?"},
        {"  p: [sync]\nsteps:\n- {call: p, with: {a: 1}}\n",
         "5:20: error: `p` has no parameter `a`; remove it"},
        {"  p: {parameters: [size], do: []}\nsteps:\n- {call: p, with: {siez: 1}}\n",
         "5:20: error: `p` has no parameter `siez`; did you mean `size`?"},
        {"  p: {parameters: [size], do: []}\nsteps:\n- call: p\n",
         "5:9: error: the call of `p` lacks `size`; add `with: {size: ...}`"},
        {"  p: [call: p]\nsteps: []\n",
         "3:13: error: the procedure `p` comes to call itself; use a loop"},
        {"  p: [call: q]\n  q: [{repeat: 1, call: p}]\nsteps: []\n",
         "4:25: error: the procedure `p` comes to call itself; use a loop"},
        {"  p: {parameters: [a, a], do: []}\nsteps: []\n",
         "3:23: error: `a` would hide another of this name; choose another name"},
        {"  p: {parameters: [size], do: [sync]}\nsteps:\n- {for: {i: 1}, do: [{call: p, with: "
         "{size: j}}]}\n",
         "5:45: error: unknown name `j`; did you mean `i`?"},
        {"  p: [{alloc: {x: i}}]\nsteps:\n- {for: {i: 1}, call: p}\n",
         "3:19: error: unknown name `i`; define it under `parameters`"},
    }));
    CHECK(error_of(head + text) == "s.yaml:" + error);
}

TEST_CASE("procedures call each other to a bound", "[errors]") {
    const auto chain = [](int length) {
        std::string text = "scenario: t\nsteps: [call: p0]\nprocedures:\n";
        for (int i = 0; i < length; ++i) {
            text += "  p" + std::to_string(i) + ": [call: p" + std::to_string(i + 1) + "]\n";
        }
        return text + "  p" + std::to_string(length) + ": [sync]\n";
    };
    CHECK(error_of(chain(31)) == "accepted");
    CHECK(error_of(chain(32)).find("procedures call each other 33 deep; keep it to 32") !=
          std::string::npos);
    CHECK(error_of(chain(900)).find("procedures call each other") != std::string::npos);
}
