#include "sim/engine/held_streams.hpp"

#include "sim/allocator/predicted_error.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

namespace {
constexpr StreamId kA{1};
constexpr StreamId kB{2};
}  // namespace

TEST_CASE("an event on a stream that is not held is complete at once", "[hold]") {
    HeldStreams work;
    CHECK(work.completed(work.record(kA)));
}

TEST_CASE("an event behind a hold completes when the stream is let go", "[hold]") {
    HeldStreams work;
    const EventId before = work.record(kA);
    work.hold(kA);
    const EventId behind = work.record(kA);
    CHECK(work.completed(before));
    CHECK_FALSE(work.completed(behind));
    CHECK(work.completed(work.record(kB)));
    work.release(kA);
    CHECK(work.completed(behind));
}

TEST_CASE("a stream that waits for a held one is held up with it", "[hold]") {
    HeldStreams work;
    work.hold(kA);
    work.wait(kB, work.record(kA));
    const EventId event = work.record(kB);
    CHECK(work.is_blocked(kB));
    CHECK_FALSE(work.completed(event));
    work.release(kA);
    CHECK(work.completed(event));
    CHECK_FALSE(work.is_blocked(kB));
}

TEST_CASE("a second hold does not free what the first let go", "[hold]") {
    HeldStreams work;
    work.hold(kA);
    const EventId first = work.record(kA);
    work.release(kA);
    work.hold(kA);
    const EventId second = work.record(kA);
    CHECK(work.completed(first));
    CHECK_FALSE(work.completed(second));
}

TEST_CASE("synchronising behind a hold would never end, and says so", "[hold]") {
    HeldStreams work;
    CHECK_NOTHROW(work.synchronize(work.record(kA)));
    work.hold(kA);
    CHECK_THROWS_AS(work.synchronize(work.record(kA)), PredictedError);
}

}  // namespace highwater
