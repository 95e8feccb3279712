// The card's multiprocessors and the kernels that share them.
#include "sim/timeline/card.hpp"

#include "tests/support/catch.hpp"

namespace highwater {

using namespace std::chrono_literals;

namespace {

Instant at(Duration since_begin) {
    return Instant{since_begin};
}

}  // namespace

TEST_CASE("a kernel alone takes its duration, however wide it is", "[card]") {
    const float width = GENERATE(1.0F, 0.5F, 0.25F, 1.0F / 132);
    Card card;
    card.start(7, 10us, share_of(width), at(3us));
    CHECK(card.next_finish() == at(13us));
    CHECK(card.finish() == 7);
    CHECK_FALSE(card.next_finish());
}

TEST_CASE("kernels that fit beside each other do not slow each other", "[card]") {
    Card card;
    card.start(1, 10us, share_of(0.5F), at(0us));
    card.start(2, 4us, share_of(0.5F), at(2us));
    CHECK(card.next_finish() == at(6us));
    CHECK(card.finish() == 2);
    CHECK(card.next_finish() == at(10us));
}

TEST_CASE("kernels that use the whole card take turns", "[card]") {
    Card card;
    card.start(1, 10us, kWholeCard, at(0us));
    card.start(2, 10us, kWholeCard, at(0us));
    CHECK(card.next_finish() == at(10us));
    CHECK(card.finish() == 1);
    CHECK(card.next_finish() == at(20us));
    CHECK(card.finish() == 2);
}

TEST_CASE("a kernel is slowed to what an earlier one leaves over", "[card]") {
    Card card;
    card.start(1, 10us, share_of(0.75F), at(0us));
    // Half of what it could use is free: at half its speed it does 5 of 8 us, then 3 at full speed.
    card.start(2, 8us, share_of(0.5F), at(0us));
    CHECK(card.finish() == 1);
    CHECK(card.now() == at(10us));
    CHECK(card.next_finish() == at(13us));
    CHECK(card.finish() == 2);
}

TEST_CASE("what is done at the same time is taken off in the order it began", "[card]") {
    Card card;
    card.start(5, 3us, share_of(0.25F), at(0us));
    card.start(4, 2us, share_of(0.25F), at(1us));
    CHECK(card.finish() == 5);
    CHECK(card.finish() == 4);
    CHECK(card.now() == at(3us));
}

TEST_CASE("no width is nothing, and none is more than the card", "[card]") {
    CHECK(share_of(1e-9F) == Share{1});
    CHECK(share_of(1.0F) == kWholeCard);
    CHECK(share_of(0.5F) == Share{32'768});
}

}  // namespace highwater
