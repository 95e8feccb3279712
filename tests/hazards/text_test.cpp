// How hazards read, and which are kept.
#include <set>
#include <string>

#include "sim/hazards/hazard_detector.hpp"
#include "sim/hazards/hazard_log.hpp"
#include "sim/hazards/hazard_text.hpp"
#include "tests/hazards/found.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

// Of the one hazard that there is.
std::string text_of(const std::string& operations) {
    const Program program = program_of(operations);
    const auto hazards = find_hazards(program);
    REQUIRE(hazards.size() == 1);
    return hazard_text(program, hazards.front());
}

Hazard between(std::size_t first, std::size_t second) {
    Hazard hazard;
    hazard.first.op = first;
    hazard.second.op = second;
    return hazard;
}

}  // namespace

TEST_CASE("a hazard names both operations and says what to do", "[text]") {
    CHECK(
        text_of(
            "alloc a 1024 on s\nkernel on s writes a\ncopy device_to_host 1024 on t from a\n") ==
        "p:3: unordered: the copy on stream `t` reads `a` while the kernel on stream `s` at p:2 "
        "may not be "
        "done, which writes `a` in the same memory; let stream `t` wait for stream `s` in between");
    CHECK(
        text_of(
            "alloc a 1024 on s\nkernel on t reads a\nfree a\nalloc b 1024 on s\nmemset b on s\n") ==
        "p:5: reused_in_use: the memset on stream `s` writes `b` while the kernel on stream `t` at "
        "p:2 may not be "
        "done, which reads `a` (freed at p:3) in the same memory; record stream `t` for `a` "
        "(record_stream) before the free, or let stream `s` wait for stream `t` before `a` is "
        "freed, or keep `a` until then");
}

TEST_CASE("a hazard of a replay names what was captured, and one in a graph the graph", "[text]") {
    CHECK(text_of("alloc x 1024 on s\nbegin_capture g on s\nkernel on s reads x\nend_capture g\n"
                  "free x\nreplay g on t\n") ==
          "p:6: stale_address: the replay of graph `g` on stream `t` (the kernel captured at p:3) "
          "reads `x`, which "
          "was freed at p:5; keep `x` as long as the graph, and copy new values into it");
    const std::string within = text_of(
        "alloc x 1024 on s\nbegin_capture g on s\nrecord_event e on s\nwait_event e on t\n"
        "kernel on t writes x\nkernel on s writes x\nrecord_event e on t\nwait_event e on s\n"
        "end_capture g\n");
    CHECK(within.starts_with(
        "p:6: unordered: in graph `g` the kernel on stream `s` writes `x` while"));
}

TEST_CASE("a stale weak view names the tensor that was freed", "[text]") {
    CHECK(text_of("alloc a 1024 on s\nkernel on s writes a\nweak_view c of a\nfree a\n"
                  "kernel on s reads c\n") ==
          "p:5: stale_address: the kernel on stream `s` reads `c`, a weak view of `a`, which was "
          "freed at p:4; keep `a` until then, or read it before it is freed");
}

TEST_CASE("a hazard says what a scenario calls its kernels", "[text]") {
    Program program = program_of("alloc a 1024 on s\nkernel on s writes a\nkernel on t reads a\n");
    OpPlaces places;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        places.push_back(program.places[i], i == 1 ? "attend" : "");
    }
    program.places = places;
    CHECK_THAT(
        hazard_text(program, find_hazards(program).at(0)),
        Catch::Matchers::ContainsSubstring("while the kernel `attend` on stream `s` at p:2"));
}

TEST_CASE("every kind of hazard has a name and a remedy of its own", "[text]") {
    const Program program = program_of("kernel on s\nkernel on t\n");
    Hazard hazard = between(0, 1);
    std::set<std::string> remedies;
    for (std::size_t kind = 0; kind < kHazardKindNames.size(); ++kind) {
        hazard.kind = static_cast<HazardKind>(kind);
        remedies.insert(hazard_remedy(program, hazard));
        CHECK(hazard_problem(program, hazard).find('\n') == std::string::npos);
    }
    CHECK(remedies.size() == kHazardKindNames.size());
}

TEST_CASE("without places a hazard counts operations from 1", "[text]") {
    Program program = program_of("alloc a 1024 on s\nkernel on s writes a\nkernel on t reads a\n");
    program.places = {};
    CHECK(hazard_text(program, find_hazards(program).at(0))
              .starts_with("operation 3: unordered: the kernel"));
}

TEST_CASE("hazards between the same two places are one, with a count", "[log]") {
    Program program = program_of("");
    for (std::size_t line : {1U, 2U, 1U, 2U}) {
        program.places.push_back({"loop", line, 0});
    }
    HazardLog log(program);
    log.add(between(0, 1));
    log.add(between(2, 3));
    log.add(between(2, 3));  // Another range of the same operations.
    log.add(between(1, 2));
    REQUIRE(log.hazards().size() == 2);
    CHECK(log.hazards()[0].count == 2);
    CHECK(log.hazards()[1].count == 1);
}

TEST_CASE("hazards beyond the most that are kept are counted", "[log]") {
    const Program program = program_of("");
    HazardLog log(program);
    for (std::size_t i = 0; i < HazardLog::kMost + 3; ++i) {
        log.add(between(i, i + 1));
    }
    log.add(between(0, 1));
    CHECK(log.hazards().size() == HazardLog::kMost);
    CHECK(log.unlisted() == 3);
}
