#include <string>

#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

// The frees of a scenario with this model, one pass of it.
std::string frees_of(const std::string& model) {
    const std::string ops = ops_of(lowered("scenario: t\n" + model +
                                           "phases:\n"
                                           "- forward: {buckets: [1]}\n"));
    std::string frees;
    for (std::size_t from = 0; from < ops.size();) {
        const std::size_t end = ops.find('\n', from);
        const std::string line = ops.substr(from, end - from);
        frees += line.starts_with("free ") ? line + "\n" : "";
        from = end + 1;
    }
    return frees;
}

}  // namespace

TEST_CASE("what a call was the last to use goes before what its result replaces", "[templates]") {
    CHECK(frees_of("model:\n"
                   "  do:\n"
                   "  - make: {out: {x: 512}}\n"
                   "  - make: {out: {y: 512}}\n"
                   "  - add: {in: [x, y], out: {x: 512}}\n") ==
          "free model.y\n"
          "free model.x\n"
          "free model.x.2\n");
}

TEST_CASE("what a template was the last to use goes before what its result replaces",
          "[templates]") {
    CHECK(frees_of("templates:\n"
                   "  plus: {in: [a, b], out: c, do: [{add: {in: [a, b], out: {c: 512}}}]}\n"
                   "model:\n"
                   "  do:\n"
                   "  - make: {out: {x: 512}}\n"
                   "  - make: {out: {y: 512}}\n"
                   "  - plus: {in: [x, y], out: x}\n") ==
          "free model.y\n"
          "free model.x\n"
          "free model.plus.c\n");
}
