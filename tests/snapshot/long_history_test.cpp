#include "tests/snapshot/long_history.hpp"

#include <cstdint>
#include <istream>

#include "sim/snapshot/read_pickle.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using Pickler = LongHistory::Pickler;

// Rounds of an alloc and its two frees, with 60 frames a stack as PyTorch's own have.
std::uint64_t read_rounds(Pickler pickler, std::uint64_t rounds) {
    LongHistory history(pickler, rounds, 60);
    std::istream in(&history);
    const Snapshot snapshot = read_pickle(in, "long.pickle");
    CHECK(snapshot.events.size() == 3 * rounds);
    CHECK(snapshot.stacks.size() == std::min<std::uint64_t>(rounds, 1000));
    CHECK(snapshot.events.back().time_us ==
          snapshot.events.front().time_us + static_cast<std::int64_t>(rounds) - 1);
    CHECK(snapshot.stacks.frames(snapshot.events.back().stack).size() == 60);
    return history.size();
}

TEST_CASE("a history of a few megabytes is read whole, whoever wrote it", "[pickle]") {
    const Pickler pickler = GENERATE(Pickler::kPython, Pickler::kTorch);
    CHECK(read_rounds(pickler, 7001) > 3'000'000);
}

// bench/README.md has the time and the memory that it takes.
TEST_CASE("a history of a gigabyte is read whole", "[.big]") {
    const Pickler pickler = GENERATE(Pickler::kPython, Pickler::kTorch);
    CHECK(read_rounds(pickler, 2'300'000) > 1'000'000'000);
}

}  // namespace
}  // namespace highwater
