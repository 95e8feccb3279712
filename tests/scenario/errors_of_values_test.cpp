#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater::test;

TEST_CASE("a step is one that there is, written as it must be", "[errors]") {
    const auto [steps, error] = GENERATE(table<std::string, std::string>({
        {"- aloc: {x: 1}\n", "5:3: error: unknown step `aloc`; did you mean `alloc`?"},
        {"- synchronize\n",
         "5:3: error: unknown step `synchronize`; known are `alloc`, `free`, `kernel`, `wait`, "
         "`record_event`, `wait_event`, `record_stream`, `sync`, `empty_cache`, `reset_peaks`, "
         "`checkpoint`, `set_allocator`, ..."},
        {"- alloc\n", "5:3: error: `alloc` says nothing of what; write `alloc: ...`"},
        {"- {}\n", "5:3: error: an empty step; remove it"},
        {"- [sync]\n", "5:3: error: a list where a step should be; write a step"},
        {"-\n", "5:1: error: nothing where a step should be; write a step"},
        {"- {sync: a, free: x}\n",
         "5:4: error: unknown key `sync` in the step `free`; known are `free`, `when`"},
        {"- {repeat: 2, doo: []}\n",
         "5:15: error: unknown key `doo` in the step `repeat`; did you mean `do`?"},
        {"- {repeat: 2}\n", "5:3: error: a loop lacks `do`; add `do:`"},
        {"- {repeat: 2, do: [], call: p}\n",
         "5:29: error: both `do` and `call` in a loop; keep one of them"},
        {"- {repeat: 2, do: [], with: {}}\n",
         "5:29: error: `with` beside `do`; use it with `call`, or remove it"},
        {"- {for: n, do: []}\n",
         "5:9: error: a value where an index and its count, as in `for: {i: 4}` should be; write "
         "an index and its count, as in `for: {i: 4}`"},
        {"- {for: {i: 1, j: 2}, do: []}\n",
         "5:9: error: a loop over 2 indices; give it one, and nest loops for more"},
        {"- {for: {n: 1}, do: []}\n",
         "5:10: error: `n` would hide another of this name; choose another name"},
        {"- {for: {min: 1}, do: []}\n",
         "5:10: error: an index is named `min`, a word of the language; choose another name"},
        {"- {if: n == 1}\n", "5:3: error: the choice lacks `then`; add `then:`"},
        {"- sync: {stream: a}\n",
         "5:9: error: a map where a stream, or all should be; write a stream, or all"},
        {"- empty_cache: all\n", "5:16: error: this step takes nothing; write its name alone"},
        {"- wait: a\n", "5:9: error: a value where a wait should be; write a wait"},
        {"- wait: {stream: a}\n", "5:9: error: the wait lacks `for`; add `for:`"},
        {"- capture: {stream: a, do: []}\n",
         "5:12: error: the capture lacks `graph`; add `graph:`"},
        {"- capture: {graph: g, raw: yes, do: []}\n",
         "5:28: error: `raw` is `yes`; write true or false"},
        {"- capture: {graph: g}\n", "5:12: error: the capture lacks `do`; add `do:`"},
        {"- free: x + 1\n", "5:11: error: `x + 1` is not a name; write `name` or `name[index]`"},
        {"- free: [[x]]\n", "5:10: error: a list where a tensor should be; write a tensor"},
        {"- alloc: [x]\n",
         "5:10: error: a list where a map of tensors and sizes should be; write a map of tensors "
         "and sizes"},
        {"- alloc: {current: 1}\n",
         "5:11: error: a tensor is named `current`, a word of the language; choose another name"},
        {"- checkpoint: result\n",
         "5:15: error: a checkpoint is named `result`, a word of the language; choose another "
         "name"},
        {"- kernel: {read: x}\n",
         "5:12: error: unknown key `read` in a kernel; did you mean `reads`?"},
        {"- record_event: {stream: a}\n", "5:17: error: the step lacks `event`; add `event:`"},
    }));
    CHECK(error_of_steps(steps) == "s.yaml:" + error);
}

TEST_CASE("sizes are whole, not negative, and not absurd", "[errors]") {
    const auto [size, error] = GENERATE(table<std::string, std::string>({
        {"n / 3",
         "14: error: the size in bytes is a real (`1.3333333333333333`); make it an integer, with "
         "ceil(), floor() or //"},
        {"0.1 KiB",
         "14: error: the size in bytes is a real (`102.4`); make it an integer, with ceil(), "
         "floor() or //"},
        {"n == 4", "14: error: the size in bytes is a boolean (`true`); make it an integer"},
        {"\"'big'\"", "15: error: the size in bytes is a text (`big`); make it an integer"},
        {"2 - n", "14: error: the size is negative (-2 bytes); make it 0 or more"},
        {"1024 TiB + 1",
         "14: error: the size is 1125899906842625 bytes; keep it within 1024 TiB: is a unit "
         "applied twice?"},
        {"8 Mb", "16: error: `Mb` is not a unit; did you mean `MB`?"},
        {"[1]", "14: error: a list where a size should be; write a size"},
        {"", "12: error: nothing where a size should be; write a size"},
    }));
    CHECK(error_of_steps("- alloc: {x: " + size + "}\n") == "s.yaml:5:" + error);
}

TEST_CASE("a size may be as large as the bound, and a whole real", "[errors]") {
    CHECK(ops_of_steps("- alloc: {x: 1024 TiB, y: 0.5 * n}\n") ==
          "alloc x 1125899906842624 on default\nalloc y 2 on default\n");
}

TEST_CASE("counts, conditions and indices are of their kind", "[errors]") {
    const auto [steps, error] = GENERATE(table<std::string, std::string>({
        {"- {repeat: -1, do: []}\n",
         "5:12: error: the count of a loop is -1; keep it between 0 and 10000000"},
        {"- {repeat: 10000001, do: []}\n",
         "5:12: error: the count of a loop is 10000001; keep it between 0 and 10000000"},
        {"- {repeat: n / 3, do: []}\n",
         "5:12: error: the count of a loop is a real (`1.3333333333333333`); make it an integer, "
         "with ceil(), floor() or //"},
        {"- {if: n, then: []}\n",
         "5:8: error: the condition is an integer (`4`); compare it with something"},
        {"- {sync: a, when: n}\n",
         "5:19: error: the condition is an integer (`4`); compare it with something"},
        {"- sync: many[n / 8]\n", "5:16: error: the index `0.5`; index with an integer from 0"},
        {"- sync: many[-n]\n", "5:14: error: the index `-4`; index with an integer from 0"},
        {"- sync: many[m]\n", "5:14: error: unknown name `m`; did you mean `n`?"},
        {"- alloc: {x: after.reserved_bytes}\n",
         "5:19: error: `after.reserved_bytes` where only parameters are known; use figures of "
         "checkpoints under `measures`"},
        {"- alloc: {x: sizeof(n)}\n",
         "5:14: error: unknown function `sizeof`; did you mean `size_of`?"},
        {"- alloc: {x: bananas(n)}\n",
         "5:14: error: unknown function `bananas`; known are `if`, `min`, `max`, `ceil`, `floor`, "
         "`abs`, `log2`, `align`, `unique_addresses`, `size_of`, `busy_ns`, `nodes`, ..."},
    }));
    CHECK(error_of_steps(steps) == "s.yaml:" + error);
}

TEST_CASE("names are checked also where no run comes by", "[errors]") {
    CHECK(error_of_steps("- {repeat: 0, do: [{alloc: {x: m}}]}\n") ==
          "s.yaml:5:32: error: unknown name `m`; did you mean `n`?");
    CHECK(error_of("scenario: t\nprocedures: {p: [{sync: a}]}\nsteps: []\n") ==
          "s.yaml:2:25: error: unknown stream `a`; known are `default`, `current`");
    CHECK(error_of("scenario: t\nprocedures: {p: [{call: q}]}\nsteps: []\n") ==
          "s.yaml:2:25: error: unknown procedure `q`; did you mean `p`?");
}
