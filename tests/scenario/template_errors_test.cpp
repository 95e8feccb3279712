#include <string>

#include <catch2/catch.hpp>

#include "tests/scenario/scenario_support.hpp"

namespace highwater {

using test::error_of;

TEST_CASE("what is wrong with a template is told with its place and a remedy", "[errors]") {
    const std::string head =
        "scenario: t\n"
        "workspaces: {cublas: 8}\n"
        "templates:\n"
        "  norm: {in: x, out: y, parameters: [w], do: [{op: {in: x, out: {y: 8}}}]}\n";
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"  t: {do: [{nrm: {in: a, out: b}}]}\nsteps: []\n",
         "5:13: error: there is no template `nrm`; did you mean `norm`?"},
        {"  t: {do: [{silu: {in: a, out: s}}]}\nsteps: []\n",
         "5:13: error: there is no template `silu`; an operation gives the sizes of what it makes: "
         "`out: {s: bytes}`"},
        {"  t: {do: [nrm]}\nsteps: []\n", "5:12: error: unknown step `nrm`; did you mean `norm`?"},
        {"  t: {do: [{norm: {in: a, out: {b: 8}}}]}\nsteps: []\n",
         "5:13: error: `norm` is a template, and has the sizes of its outputs itself; write `out:` "
         "as a name, or a list of names"},
        {"  t: {do: [{norm: {in: [a, b], out: c, with: {w: 1}}}]}\nsteps: []\n",
         "5:13: error: `norm` takes 1 tensors, and is given 2; list under `in` what the template "
         "has under `in`"},
        {"  t: {do: [{norm: {in: a, out: [b, c], with: {w: 1}}}]}\nsteps: []\n",
         "5:36: error: `norm` returns 1 tensors; name no more than the template has under `out`"},
        {"  t: {do: [{norm: {in: a, out: b}}]}\nsteps: []\n",
         "5:13: error: the call of `norm` lacks `w`; add `with: {w: ...}`"},
        {"  t: {out: z, do: [{op: {out: {y: 8}}}]}\nsteps: []\n",
         "5:12: error: `t` makes no tensor `z`; did you mean `y`?"},
        {"  t: {do: [{op: {uses: cubls}}]}\nsteps: []\n",
         "5:24: error: unknown workspace `cubls`; did you mean `cublas`?"},
        {"  t: {do: [t]}\nsteps: []\n",
         "5:3: error: the template `t` comes to use itself; use a loop"},
        {"steps: [{layers: 2, do: []}]\n",
         "5:9: error: `layers` outside of a template; use `for` or `repeat`"},
        {"steps: [{forward: {buckets: 2}}]\n",
         "5:9: error: the scenario has no model; define it under `model`, or name a template: "
         "`model: name`"},
        {"steps: [{op: {in: x, oot: {y: 8}}}]\n",
         "5:22: error: unknown key `oot` in an operation; did you mean `out`?"},
        {"  t: {do: [{op: {in: x}}, {op: {out: {x: 8}}}]}\nsteps: [t]\n",
         "5:22: error: `x` is not allocated here; `t` must make it before this step, and not free "
         "it"},
        {"  t: {weights: {w: 8}, do: [{op: {in: w}}]}\nsteps: [t]\n",
         "5:39: error: `w` is a weight of `t`, and not loaded; put `load_weights` before the "
         "phases "
         "that run it"},
        {"  t: {in: abc, do: [{op: {in: abd}}]}\nsteps: [{alloc: {x: 8}}, {t: {in: x}}]\n",
         "5:31: error: `abd` is neither a tensor of `t` nor a static one; did you mean `abc`?"},
        {"  t: {do: [{alloc: {x: bucket}}]}\nsteps: [t]\n",
         "5:24: error: unknown name `bucket`; define it under `parameters`"},
        {"parameters: {bucket: 1}\nsteps: []\n",
         "5:14: error: a parameter `bucket` where templates have `bucket` from the pass under way; "
         "choose another name"},
    }));
    CHECK(error_of(head + text) == "s.yaml:" + error);
}

}  // namespace highwater
