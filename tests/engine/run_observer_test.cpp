#include "sim/engine/run_observer.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "sim/engine/program_text.hpp"
#include "sim/engine/run.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

class Notes : public RunObserver {
  public:
    void take(const TraceEvent& event) override { notes.emplace_back(name_of(event.kind)); }
    void took(std::size_t op, const OpResult& /*result*/, const Executor& /*executor*/) override {
        notes.push_back("took " + std::to_string(op));
    }
    void failed(std::size_t op, const Executor& /*executor*/) override {
        notes.push_back("failed " + std::to_string(op));
    }
    std::vector<std::string> notes;
};

class Count : public TraceSink {
  public:
    void take(const TraceEvent& /*event*/) override { ++events; }
    int events = 0;
};

Program program_of(const std::string& operations) {
    return parse_program(
        "highwater-program 1\n"
        "machine total_memory 67108864 memory_fraction 1 conf \"\"\n"
        "stream default handle 0x0\ntensor a\ntensor b\n" +
            operations,
        "p");
}

}  // namespace

TEST_CASE("an observer sees each operation with its trace events before it", "[run][observer]") {
    Notes observer;
    Count trace;
    RunOptions options;
    options.observer = &observer;
    options.trace = &trace;
    run(program_of("alloc a 512 on default\nkernel on default writes a\nfree a\n"), options);
    CHECK(observer.notes == std::vector<std::string>{"segment_alloc",
                                                     "alloc",
                                                     "took 0",
                                                     "took 1",
                                                     "free_requested",
                                                     "free_completed",
                                                     "took 2"});
    CHECK(trace.events == 4);
}

TEST_CASE("an observer sees what fails, and what happens while the error passes",
          "[run][observer]") {
    Notes observer;
    RunOptions options;
    options.observer = &observer;
    run(program_of("try t\nalloc a 512 on default\nalloc b 1073741824 on default\n"
                   "kernel on default writes b\nfree a\nend_try\ncheckpoint c\n"),
        options);
    std::erase_if(observer.notes, [](const std::string& note) {
        return note.find("took") != 0 && note.find("failed") != 0;
    });
    CHECK(observer.notes ==
          std::vector<std::string>{"took 0", "took 1", "failed 2", "took 4", "took 6"});
}

TEST_CASE("a run notes its history and the settings at its end", "[run]") {
    CostProfile costs;
    costs.times.card.host_to_device = 1e9;
    RunHistory history;
    RunOptions options;
    options.costs = &costs;
    options.history = &history;
    run(program_of("alloc a 512 on default\nhost_work 7000\nfree a\n"), options);
    using Kind = TraceEvent::Kind;
    REQUIRE(history.events.size() == 4);
    CHECK(history.events[0].kind == Kind::kSegmentAlloc);
    CHECK(history.events[3].kind == Kind::kFreeCompleted);
    REQUIRE(history.times.size() == 4);
    CHECK(history.times[3] - history.times[1] >= std::chrono::microseconds(7));
    CHECK(history.settings == AllocatorSettings{});
}
