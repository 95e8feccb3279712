#include "sim/allocator/async/stream_clocks.hpp"

#include "tests/support/string_makers.hpp"

namespace highwater {

namespace {
constexpr StreamId kA{0};
constexpr StreamId kB{5};
constexpr StreamId kC{2};
constexpr EventId kFirst{0};
constexpr EventId kSecond{1};
constexpr EventId kThird{7};
}  // namespace

TEST_CASE("a stream is behind its own events and no other's", "[async]") {
    StreamClocks clocks;
    clocks.record(kA, kFirst);
    CHECK(clocks.is_behind(kA, kFirst));
    CHECK_FALSE(clocks.is_behind(kB, kFirst));
    CHECK_FALSE(clocks.is_behind(kA, kThird));
}

TEST_CASE("a wait puts a stream behind what was recorded until then", "[async]") {
    StreamClocks clocks;
    clocks.record(kA, kFirst);
    clocks.record(kA, kSecond);
    clocks.record(kA, kThird);
    clocks.wait(kB, kSecond);
    CHECK(clocks.is_behind(kB, kFirst));
    CHECK(clocks.is_behind(kB, kSecond));
    CHECK_FALSE(clocks.is_behind(kB, kThird));
}

TEST_CASE("waits reach through streams in between, at the time of the record", "[async]") {
    StreamClocks clocks;
    clocks.record(kB, kFirst);
    clocks.record(kA, kSecond);
    clocks.wait(kB, kSecond);
    clocks.record(kB, kThird);
    clocks.wait(kC, kFirst);
    CHECK_FALSE(clocks.is_behind(kC, kSecond));
    clocks.wait(kC, kThird);
    CHECK(clocks.is_behind(kC, kSecond));
}

TEST_CASE("an event recorded again stands for the last time", "[async]") {
    StreamClocks clocks;
    clocks.record(kA, kFirst);
    clocks.wait(kB, kFirst);
    clocks.record(kA, kFirst);
    CHECK_FALSE(clocks.is_behind(kB, kFirst));
}

}  // namespace highwater
