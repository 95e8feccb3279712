#include <string>

#include <catch2/catch.hpp>

#include "tests/scenario/scenario_support.hpp"

namespace highwater {
namespace {

using test::error_of;
using test::lowered;
using test::ops_of;

// The sizes of one tensor for each bucket of the description.
std::string scenario(const std::string& buckets) {
    return "scenario: t\n"
           "parameters: {n: 4, order: {default: desc, type: text}, text: {default: \"1,2\", type: "
           "text}}\n"
           "buckets: {b: " +
           buckets +
           "}\n"
           "model: {do: [{op: {out: {y: bucket}}}]}\n"
           "phases: [{forward: {buckets: b}}]\n";
}

std::string sizes(const std::string& buckets, const std::vector<Override>& overrides = {}) {
    const Program program = lowered(scenario(buckets), overrides);
    std::string all;
    for (const Op& op : program.ops) {
        if (const auto* alloc = std::get_if<op::Alloc>(&op)) {
            all += std::to_string(alloc->size.count) + ' ';
        }
    }
    return all;
}

}  // namespace

TEST_CASE("buckets come from a list, a text, an engine's list, a range or powers of two",
          "[buckets]") {
    const auto [buckets, expected] = GENERATE(table<std::string, std::string>({
        {"[n, 1, 8]", "4 1 8 "},
        {"{list: [n, 1]}", "4 1 "},
        {"{list: text}", "1 2 "},
        {"{list: vllm, max: 8}", "1 2 4 8 "},
        {"{range: [2, n * 2, 2]}", "2 4 6 8 "},
        {"{powers_of_two: [1, n]}", "1 2 4 "},
        {"{list: [1, 8, 4], order: asc}", "1 4 8 "},
        {"{list: [1, 8, 4], order: desc}", "8 4 1 "},
        {"{list: [1, 8, 4], order: given}", "1 8 4 "},
        {"{list: [1, 8, 4], order: order}", "8 4 1 "},
        {"{list: [1, 8, 4], min: 2, max: n}", "4 "},
    }));
    CHECK(sizes(buckets) == expected);
}

TEST_CASE("a parameter may give the list and its order", "[buckets]") {
    CHECK(sizes("{list: text, order: order}", {{"text", "3,16,5"}, {"order", "asc"}}) == "3 5 16 ");
    CHECK(sizes("{list: text, max: 4}", {{"text", "sglang-decode"}}) == "1 2 4 ");
}

TEST_CASE("buckets that cannot be are refused", "[buckets]") {
    const auto [buckets, error] = GENERATE(table<std::string, std::string>({
        {"[]", "3:14: error: a list of 0 buckets; make it 1 to 100000"},
        {"[0]", "3:15: error: a bucket is 0; make it 1 to 100000"},
        {"{list: vllm}", "3:21: error: `vllm` without a maximum; add `max:`, the largest bucket"},
        {"{list: [1], range: [1, 2, 3]}",
         "3:14: error: buckets from 2 sources; give one of `list`, `range` and `powers_of_two`"},
        {"{range: [1, 2]}",
         "3:22: error: 2 numbers where 3 should be; write `range: [first, last, step]`"},
        {"{list: [1], order: up}", "3:33: error: buckets in the order `up`; write `asc` or `desc`"},
    }));
    const std::string told = error_of(scenario(buckets));
    CHECK(told.substr(0, 10 + error.size()).find(error.substr(0, 12)) != std::string::npos);
}

TEST_CASE("expressions know the figures of a list", "[buckets]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "buckets: {b: [4, 16, 2]}\n"
                         "steps: [{alloc: {x: b.max, y: b.min, z: b.count, s: b.sum}}]\n")) ==
          "alloc x 16 on default\nalloc y 2 on default\nalloc z 3 on default\n"
          "alloc s 22 on default\n");
    CHECK(
        error_of("scenario: t\n"
                 "buckets: {b: [4]}\n"
                 "steps: [{alloc: {x: b.most}}]\n") ==
        "s.yaml:3:22: error: `b.most` where only parameters are known; use figures of checkpoints "
        "under `measures`");
}

}  // namespace highwater
