#include "sim/hazards/clock.hpp"

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("a clock covers what it was advanced to and what it joined", "[clock]") {
    Clock one;
    one.advance(StreamId{3}, 5);
    CHECK(one.covers(StreamId{3}, 5));
    CHECK_FALSE(one.covers(StreamId{3}, 6));
    CHECK_FALSE(one.covers(StreamId{4}, 1));
    Clock other;
    other.advance(StreamId{3}, 2);
    other.advance(StreamId{7}, 1);
    other.join(one);
    CHECK(other.covers(StreamId{3}, 5));
    CHECK(other.covers(StreamId{7}, 1));
    one.join(Clock{});
    CHECK(one.covers(StreamId{3}, 5));
}

TEST_CASE("streams beyond the last that are told apart count as one", "[clock]") {
    const auto last = static_cast<std::uint32_t>(Clock::kMaxStreams - 1);
    Clock clock;
    clock.advance(StreamId{last + 100'000}, 1);
    CHECK(clock.covers(StreamId{last}, 1));
    CHECK_FALSE(clock.covers(StreamId{last - 1}, 1));
}
