// The smaller parts of the harness.
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "gpu/host_threads.hpp"
#include "gpu/isolated.hpp"
#include "gpu/pool_marks.hpp"
#include "gpu/refused_error.hpp"
#include "gpu/run_clock.hpp"
#include "gpu/stamps.hpp"
#include "sim/core/error.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace std::chrono_literals;
using How = gpu::Ended::How;

TEST_CASE("what a call in a process of its own gives comes back whole", "[isolated]") {
    const std::string binary("a\0b\n", 4);
    const gpu::Ended ended = gpu::run_isolated(
        [&] {
            return std::vector<std::string>{"one", "", binary};
        },
        10s);
    CHECK(ended.how == How::kDone);
    CHECK(ended.parts == std::vector<std::string>{"one", "", binary});
}

TEST_CASE("what a call throws comes back as how it ended", "[isolated]") {
    const auto ended = [](const std::function<void()>& call) {
        return gpu::run_isolated(
            [&] {
                call();
                return std::vector<std::string>{};
            },
            10s);
    };
    const gpu::Ended none = ended([] { throw gpu::NoMeasurement("no card"); });
    CHECK(none.how == How::kNoMeasurement);
    CHECK(none.reason == "no card");
    CHECK(ended([] { throw InputError({"f"}, "bad", "mend it"); }).how == How::kBadInput);
    CHECK(ended([] { std::_Exit(0); }).how == How::kCrashed);
    const gpu::Ended crashed = ended([] { raise(SIGKILL); });
    CHECK(crashed.how == How::kCrashed);
    CHECK(crashed.reason == "the run crashed: Killed");
}

TEST_CASE("a call that takes too long is ended", "[isolated]") {
    const gpu::Ended ended = gpu::run_isolated(
        []() -> std::vector<std::string> {
            while (true) {
                std::this_thread::sleep_for(1s);
            }
        },
        50ms);
    CHECK(ended.how == How::kTimedOut);
}

TEST_CASE("the environment of a call in a process of its own is its own", "[isolated]") {
    const auto ended = gpu::run_isolated(
        [] {
            setenv("HIGHWATER_GPU_TEST", "inside", 1);
            return std::vector<std::string>{std::getenv("HIGHWATER_GPU_TEST")};
        },
        10s);
    CHECK(ended.parts == std::vector<std::string>{"inside"});
    CHECK(std::getenv("HIGHWATER_GPU_TEST") == nullptr);
}

TEST_CASE("each host thread is one thread, and throws to its caller", "[threads]") {
    int entered = 0;
    gpu::HostThreads threads([&] { ++entered; });
    const auto id_of = [&](ThreadId thread) {
        std::thread::id id;
        threads.run(thread, [&] { id = std::this_thread::get_id(); });
        return id;
    };
    CHECK(id_of(kMainThread) == std::this_thread::get_id());
    const std::thread::id second = id_of(ThreadId{1});
    CHECK(second != std::this_thread::get_id());
    CHECK(id_of(ThreadId{1}) == second);
    CHECK(id_of(ThreadId{2}) != second);
    CHECK(entered == 3);
    CHECK_THROWS_AS(threads.run(ThreadId{1}, [] { throw gpu::RefusedError("no"); }),
                    gpu::RefusedError);
    CHECK(id_of(ThreadId{1}) == second);
}

TEST_CASE("the clock of a run stands still while figures are looked at", "[clock]") {
    gpu::RunClock clock;
    const Instant before = clock.now();
    {
        const gpu::RunClock::Pause pause(clock);
        std::this_thread::sleep_for(20ms);
    }
    CHECK(clock.now() - before < 20ms);
    CHECK(clock.now() >= before);
}

TEST_CASE("a pool's mark is the most it had, for itself and by stream", "[pools]") {
    using Kind = TraceEvent::Kind;
    gpu::PoolMarks marks;
    const StreamId one{1};
    const StreamId two{2};
    const PoolId own{1, 0};
    const Bytes size{2};
    marks.take({Kind::kSegmentAlloc, one, Address{}, size, own});
    marks.take({Kind::kSegmentFree, one, Address{}, size, own});
    marks.take({Kind::kSegmentMap, two, Address{}, size, own});
    marks.take({Kind::kAlloc, two, Address{}, size, own});
    const std::vector<PoolRow> rows = marks.rows({});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].id == kDefaultPoolId);
    CHECK(rows[1].reserved == size);
    CHECK(rows[1].high_water == size);
    CHECK(rows[1].streams == std::vector<PoolStreamRow>{{one, Bytes{}, size}, {two, size, size}});
}

TEST_CASE("no two allocations, nor memset, nor what is being written, have the same word",
          "[stamps]") {
    std::set<std::uint64_t> words{0};
    for (std::uint64_t i = 1; i <= 1000; ++i) {
        CHECK(words.insert(gpu::stamp_word(i)).second);
    }
    for (std::uint64_t i = 1; i <= 1000; ++i) {
        CHECK(words.insert(~gpu::stamp_word(i)).second);
    }
}
