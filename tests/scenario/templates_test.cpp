#include <string>

#include <catch2/catch.hpp>

#include "tests/scenario/scenario_support.hpp"

namespace highwater {
namespace {

using test::lowered;
using test::ops_of;

// The operations of a template `t` that is used once, with the steps of its body.
std::string ops_of_template(const std::string& body, const std::string& keys = "") {
    return ops_of(
        lowered("scenario: t\n"
                "streams: {side: {}}\n"
                "workspaces: {cublas: 100, lt: {size: 7, per: device}, own: {size: 9, scoped: "
                "true}}\n"
                "templates:\n"
                "  t:\n" +
                keys + "    do:\n" + body + "steps: [t]\n"));
}

}  // namespace

TEST_CASE("a template's tensor goes after the step that mentions it last", "[templates]") {
    CHECK(ops_of_template("    - first: {out: {x: 8, y: 16}}\n"
                          "    - second: {in: x, out: {z: 4}}\n"
                          "    - third: {in: [y, z]}\n") ==
          "alloc t.x 8 on default\n"
          "alloc t.y 16 on default\n"
          "kernel on default writes t.x t.y\n"
          "alloc t.z 4 on default\n"
          "kernel on default reads t.x writes t.z\n"
          "free t.x\n"
          "kernel on default reads t.y t.z\n"
          "free t.y\n"
          "free t.z\n");
}

TEST_CASE("what nobody reads goes at once", "[templates]") {
    CHECK(ops_of_template("    - first: {out: {x: 8}}\n"
                          "    - second: {out: {y: 8}}\n") ==
          "alloc t.x 8 on default\nkernel on default writes t.x\nfree t.x\n"
          "alloc t.y 8 on default\nkernel on default writes t.y\nfree t.y\n");
}

TEST_CASE("what is kept goes when the template ends", "[templates]") {
    CHECK(ops_of_template("    - first: {out: {x: 8}}\n"
                          "    - second: {in: x, out: {y: 8}}\n"
                          "    - third: {in: y}\n",
                          "    keep: x\n") ==
          "alloc t.x 8 on default\nkernel on default writes t.x\n"
          "alloc t.y 8 on default\nkernel on default reads t.x writes t.y\n"
          "kernel on default reads t.y\nfree t.y\n"
          "free t.x\n");
}

TEST_CASE("a name bound again lets its tensor go after the operation", "[templates]") {
    CHECK(ops_of_template("    - first: {out: {x: 8}}\n"
                          "    - again: {in: x, out: {x: 8}}\n"
                          "    - last: {in: x}\n") ==
          "alloc t.x 8 on default\nkernel on default writes t.x\n"
          "alloc t.x.2 8 on default\nkernel on default reads t.x writes t.x.2\nfree t.x\n"
          "kernel on default reads t.x.2\nfree t.x.2\n");
}

TEST_CASE("scratch is given back after the kernel, the last one first", "[templates]") {
    CHECK(ops_of_template("    - op: {scratch: {s: 4, u: 2}, out: {x: 8}}\n"
                          "    - read: {in_place: x}\n") ==
          "alloc t.s 4 on default\nalloc t.u 2 on default\nalloc t.x 8 on default\n"
          "kernel on default writes t.s t.u t.x\n"
          "free t.u\nfree t.s\n"
          "kernel on default reads t.x writes t.x\nfree t.x\n");
}

TEST_CASE("a turn's own tensor goes within it, one from the turn before lives on", "[templates]") {
    CHECK(ops_of_template("    - first: {out: {x: 8}}\n"
                          "    - repeat: 2\n"
                          "      do:\n"
                          "      - own: {out: {o: 4}}\n"
                          "      - add: {in: [x, o], out: {x: 8}}\n") ==
          "alloc t.x 8 on default\nkernel on default writes t.x\n"
          "alloc t.o 4 on default\nkernel on default writes t.o\n"
          "alloc t.x.2 8 on default\nkernel on default reads t.x t.o writes t.x.2\n"
          "free t.o\nfree t.x\n"
          "alloc t.o 4 on default\nkernel on default writes t.o\n"
          "alloc t.x 8 on default\nkernel on default reads t.x.2 t.o writes t.x\n"
          "free t.o\nfree t.x.2\n"
          "free t.x\n");
}

TEST_CASE("a tensor lives as long as any of its names", "[templates]") {
    CHECK(ops_of_template("    - op: {out: {qkv: 8}}\n"
                          "    - view: {q: qkv}\n"
                          "    - other: {out: {y: 4}}\n"
                          "    - last: {in: q}\n") ==
          "alloc t.qkv 8 on default\nkernel on default writes t.qkv\n"
          "alloc t.y 4 on default\nkernel on default writes t.y\nfree t.y\n"
          "kernel on default reads t.qkv\nfree t.qkv\n");
}

TEST_CASE("names with indices are tensors of their own", "[templates]") {
    CHECK(ops_of_template("    - for: {i: 2}\n"
                          "      do: [{make: {out: {\"part[i]\": 4}}}]\n"
                          "    - cat: {in: [\"part[0]\", \"part[1]\"]}\n") ==
          "alloc t.part[0] 4 on default\nkernel on default writes t.part[0]\n"
          "alloc t.part[1] 4 on default\nkernel on default writes t.part[1]\n"
          "kernel on default reads t.part[0] t.part[1]\n"
          "free t.part[0]\nfree t.part[1]\n");
}

TEST_CASE("a template returns tensors to its caller, and cannot end the caller's", "[templates]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "templates:\n"
                         "  inner:\n"
                         "    in: a\n"
                         "    out: b\n"
                         "    parameters: [size]\n"
                         "    do: [{op: {in: a, out: {b: size}}}]\n"
                         "  outer:\n"
                         "    do:\n"
                         "    - first: {out: {x: 8}}\n"
                         "    - inner: {in: x, out: y, with: {size: 3}}\n"
                         "    - last: {in: [x, y]}\n"
                         "steps: [outer]\n")) ==
          "alloc outer.x 8 on default\nkernel on default writes outer.x\n"
          "alloc outer.inner.b 3 on default\nkernel on default reads outer.x writes "
          "outer.inner.b\n"
          "kernel on default reads outer.x outer.inner.b\n"
          "free outer.x\nfree outer.inner.b\n");
}

TEST_CASE("steps use templates too, with the scenario's tensors", "[templates]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "templates:\n"
                         "  double: {in: a, out: b, do: [{op: {in: a, out: {b: 8}}}]}\n"
                         "steps:\n"
                         "- alloc: {x: 8}\n"
                         "- double: {in: x, out: y}\n"
                         "- double: {in: y, out: y}\n"
                         "- free: [x, y]\n")) ==
          "alloc x 8 on default\n"
          "alloc double.b 8 on default\nkernel on default reads x writes double.b\n"
          "alloc double.2.b 8 on default\nkernel on default reads double.b writes double.2.b\n"
          "free double.b\n"
          "free x\nfree double.2.b\n");
}

TEST_CASE("a branch works beside the current stream until it is joined", "[templates]") {
    CHECK(
        ops_of_template("    - first: {out: {x: 8}}\n"
                        "    - branch: {name: b, stream: side, do: [{op: {in: x, out: {s: 4}}}]}\n"
                        "    - main: {in: x, out: {m: 4}}\n"
                        "    - join: b\n"
                        "    - add: {in: [s, m]}\n") ==
        "alloc t.x 8 on default\nkernel on default writes t.x\n"
        "record_event default.wait_stream on default\nwait_event default.wait_stream on side\n"
        "alloc t.s 4 on side\nkernel on side reads t.x writes t.s\n"
        "alloc t.m 4 on default\nkernel on default reads t.x writes t.m\nfree t.x\n"
        "record_event side.wait_stream on side\nwait_event side.wait_stream on default\n"
        "kernel on default reads t.s t.m\nfree t.s\nfree t.m\n");
}

TEST_CASE("a workspace is allocated at its first use on each stream, after the outputs",
          "[templates]") {
    CHECK(ops_of_template("    - a: {out: {x: 8}, uses: [cublas, lt]}\n"
                          "    - b: {in: x, uses: cublas}\n"
                          "    - on: side\n"
                          "      do: [{c: {uses: [cublas, lt]}}]\n") ==
          "alloc t.x 8 on default\n"
          "alloc cublas.default 100 on default\nalloc workspace.lt 7 on default\n"
          "kernel on default writes t.x\n"
          "kernel on default reads t.x\nfree t.x\n"
          "alloc cublas.side 100 on side\nkernel on side\n");
    CHECK(ops_of_template("    - repeat: 2\n      do: [{a: {uses: own}}]\n") ==
          "alloc own.default 9 on default\nkernel on default\nfree own.default\n"
          "alloc own.default 9 on default\nkernel on default\nfree own.default\n");
}

TEST_CASE("a branch belongs to its template: another's of the same name is another",
          "[templates]") {
    const std::string ops =
        ops_of(lowered("scenario: t\n"
                       "streams: {s: {}, u: {}}\n"
                       "templates:\n"
                       "  inner: {do: [{branch: {name: b, stream: u, do: []}}, {join: b}]}\n"
                       "  outer: {do: [{branch: {name: b, stream: s, do: [inner]}}, {join: b}]}\n"
                       "steps: [outer]\n"));
    CHECK(ops.ends_with("record_event s.wait_stream on s\nwait_event s.wait_stream on default\n"));
}

TEST_CASE("a variable that held a template's output is allocated under its own name",
          "[templates]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "templates: {t: {out: b, do: [{op: {out: {b: 8}}}]}}\n"
                         "steps:\n"
                         "- alloc: {y: 1}\n"
                         "- free: y\n"
                         "- t: {out: y}\n"
                         "- free: y\n"
                         "- alloc: {y: 3}\n")) ==
          "alloc y 1 on default\nfree y\n"
          "alloc t.b 8 on default\nkernel on default writes t.b\nfree t.b\n"
          "alloc y 3 on default\n");
}

}  // namespace highwater
