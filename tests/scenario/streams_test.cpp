#include <algorithm>
#include <set>
#include <string>

#include "sim/scenario/lower/stream_pool.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

std::vector<std::string> names_of_streams(const std::string& streams) {
    std::vector<std::string> names;
    for (const StreamEntry& stream :
         lowered("scenario: t\nstreams: " + streams + "\nsteps: []\n").streams) {
        names.push_back(stream.name);
    }
    return names;
}

}  // namespace

TEST_CASE("streams are made in the order written, behind the default stream", "[streams]") {
    CHECK(names_of_streams("{b: {}, a:, many: {count: 1 + 1}, none: {count: 0}}") ==
          std::vector<std::string>{"default", "b", "a", "many[0]", "many[1]"});
}

TEST_CASE("the 33rd stream is the 1st again, the 32nd is not", "[streams]") {
    CHECK(names_of_streams("{aux: {count: 32}}").size() == 33);
    CHECK(names_of_streams("{aux: {count: 33}}").size() == 33);
    CHECK(ops_of(lowered("scenario: t\n"
                         "streams: {aux: {count: 33}, capture: {}}\n"
                         "steps:\n"
                         "- kernel: {stream: \"aux[31]\"}\n"
                         "- kernel: {stream: \"aux[32]\"}\n"
                         "- kernel: {stream: capture}\n")) ==
          "kernel on aux[31]\nkernel on aux[0]\nkernel on aux[1]\n");
}

TEST_CASE("each priority has a pool of its own, and the lowest is -3", "[streams]") {
    CHECK(names_of_streams("{a: {count: 32}, b: {count: 32, priority: -1}}").size() == 65);
    CHECK(names_of_streams("{a: {count: 32, priority: -3}, b: {priority: -5}}").size() == 33);
    CHECK(names_of_streams("{a: {count: 32, priority: -2}, b: {priority: -3}}").size() == 34);
}

TEST_CASE("handles ascend by index, then by level, and none is the default stream's", "[streams]") {
    std::set<StreamHandle> handles;
    for (std::size_t index = 0; index < StreamPool::kStreamsPerLevel; ++index) {
        for (std::size_t level = 0; level < StreamPool::kLevels; ++level) {
            const StreamHandle handle = StreamPool::handle_of({index, level});
            CHECK(handle > (handles.empty() ? StreamHandle{0} : *handles.rbegin()));
            handles.insert(handle);
        }
    }
    CHECK(handles.size() == 128);
}

TEST_CASE("streams that are not there are refused with those that are", "[streams]") {
    CHECK(error_of_steps("- kernel: {stream: aux}\n") ==
          "s.yaml:5:20: error: unknown stream `aux`; known are `a`, `b`, `many`, `default`, "
          "`current`");
    CHECK(error_of_steps("- kernel: {stream: mani}\n") ==
          "s.yaml:5:20: error: unknown stream `mani`; did you mean `many`?");
    CHECK(error_of_steps("- kernel: {stream: many}\n") ==
          "s.yaml:5:20: error: there is no stream `many`; write `many[0]` to `many[2]`");
    CHECK(error_of("scenario: t\nstreams: {s: {count: 1}}\nsteps: [sync: s]\n") ==
          "s.yaml:3:15: error: there is no stream `s`; write `s[0]`");
    CHECK(error_of_steps("- kernel: {stream: \"many[n - 1]\"}\n") ==
          "s.yaml:5:21: error: there is no stream `many[3]`; write `many[0]` to `many[2]`");
    CHECK(error_of_steps("- kernel: {stream: \"a[0]\"}\n") ==
          "s.yaml:5:21: error: there is no stream `a[0]`; write `a`, or give `a` a count");
}

TEST_CASE("priorities and counts of streams have bounds", "[streams]") {
    const auto error = [](const std::string& stream) {
        return error_of("scenario: t\nstreams: {a: {" + stream + "}}\nsteps: []\n");
    };
    CHECK(error("priority: 1") ==
          "s.yaml:2:25: error: the priority of a stream is 1; keep it between -2147483648 and 0");
    CHECK(error("count: -1") ==
          "s.yaml:2:22: error: the count of streams is -1; keep it between 0 and 100000");
    CHECK(error("count: 1.5") ==
          "s.yaml:2:22: error: the count of streams is a real (`1.5`); make "
          "it an integer, with ceil(), floor() or //");
    CHECK(error("number: 2") ==
          "s.yaml:2:15: error: unknown key `number` in a stream; known are `count`, "
          "`priority`, `per`, `when`, `blocking`");
}
