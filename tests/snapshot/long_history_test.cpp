#include "tests/snapshot/long_history.hpp"

#include <algorithm>
#include <cstdint>
#include <istream>

#include <sys/resource.h>

#include "sim/snapshot/read_pickle.hpp"
#include "sim/snapshot/replay.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using Pickler = LongHistory::Pickler;

// Rounds of an alloc and its two frees.
std::uint64_t read_rounds(Pickler pickler, std::uint64_t rounds, LongHistory::Events events) {
    LongHistory history(pickler, rounds, events);
    std::istream in(&history);
    const Snapshot snapshot = read_pickle(in, "long.pickle");
    CHECK(snapshot.events.size() == 3 * rounds);
    const Replay replayed = replay(snapshot);
    CHECK(!replayed.departure);
    CHECK(replayed.recorded.history.first_event == 0);
    CHECK(replayed.recorded.requests.size() == 2 * rounds);
    CHECK(snapshot.events.back().time_us ==
          snapshot.events.front().time_us + static_cast<std::int64_t>(rounds) - 1);
    const auto frames = static_cast<std::size_t>(events.frames_a_stack);
    CHECK(snapshot.stacks.frames(snapshot.events.back().stack).size() == frames);
    // As many as there are frames to begin with.
    CHECK(snapshot.stacks.size() == (frames == 0 ? 0 : std::min<std::uint64_t>(rounds, 1000)));
    return history.size();
}

// Of the process so far.
long peak_kibibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

TEST_CASE("a history of a few megabytes is read whole, whoever wrote it", "[pickle]") {
    const Pickler pickler = GENERATE(Pickler::kPython, Pickler::kTorch);
    CHECK(read_rounds(pickler, 7001, {.frames_a_stack = 60}) > 2'500'000);
    CHECK(read_rounds(pickler, 21001, {.has_contexts = true}) > 2'500'000);
}

// bench/README.md has the time and the memory that it takes.
TEST_CASE("a history of a gigabyte is read and replayed whole within 500 MB", "[.big]") {
    const Pickler pickler = GENERATE(Pickler::kPython, Pickler::kTorch);
    CHECK(read_rounds(pickler, 2'500'000, {.frames_a_stack = 60}) > 1'000'000'000);
    CHECK(read_rounds(pickler, 9'300'000, {}) > 1'000'000'000);
    CHECK(peak_kibibytes() < 500'000'000 / 1024);
}

}  // namespace
}  // namespace highwater
