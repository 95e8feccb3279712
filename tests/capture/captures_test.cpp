// Around-allocator specification 9.3: forks and joins of a capture.
#include "sim/capture/captures.hpp"

#include "sim/allocator/predicted_error.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

namespace {
constexpr CaptureId kCapture{1};
constexpr CaptureId kOther{2};
constexpr StreamId kOrigin{1};
constexpr StreamId kSide{2};
constexpr StreamId kThird{3};

void wait_for(Captures& captures, StreamId waiting, StreamId waited_for) {
    captures.wait(waiting, captures.record(waited_for));
}
}  // namespace

TEST_CASE("a stream joins a capture by waiting for one of its events", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    CHECK_FALSE(captures.capture_of(kSide));
    wait_for(captures, kSide, kOrigin);
    CHECK(captures.capture_of(kSide) == kCapture);
    wait_for(captures, kOrigin, kSide);
    captures.end(kOrigin);
    CHECK_FALSE(captures.capture_of(kOrigin));
    CHECK_FALSE(captures.capture_of(kSide));
}

TEST_CASE("a kernel replaces a stream's terminals, a wait adds the other's", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    CHECK(captures.terminals(kOrigin).empty());
    captures.add(kOrigin, {});
    wait_for(captures, kSide, kOrigin);
    captures.add(kSide, {});
    captures.add(kOrigin, {});
    const auto origin = captures.terminals(kOrigin);
    const auto side = captures.terminals(kSide);
    REQUIRE((origin.size() == 1 && side.size() == 1));
    wait_for(captures, kOrigin, kSide);
    CHECK(captures.terminals(kOrigin) == std::vector<NodeId>{side[0], origin[0]});
    captures.add(kOrigin, {});
    CHECK(captures.terminals(kOrigin).size() == 1);
}

TEST_CASE("a stream has reached what its terminals depend on", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    captures.add(kOrigin, {});
    const auto first = captures.terminals(kOrigin);
    wait_for(captures, kSide, kOrigin);
    captures.add(kSide, {});
    const auto side = captures.terminals(kSide);
    CHECK(captures.all_reached(first, kSide));
    CHECK_FALSE(captures.all_reached(side, kOrigin));
    wait_for(captures, kOrigin, kSide);
    CHECK(captures.all_reached(side, kOrigin));
    captures.add(kOrigin, {});
    CHECK(captures.all_reached(side, kOrigin));
    CHECK_FALSE(captures.all_reached(captures.terminals(kOrigin), kSide));
}

TEST_CASE("work outside captures makes no nodes and joins nothing", "[capture]") {
    Captures captures;
    captures.add_outside(kSide);
    wait_for(captures, kThird, kSide);
    CHECK(captures.terminals(kSide).empty());
    CHECK_FALSE(captures.capture_of(kThird));
}

TEST_CASE("a capture cannot end with a side stream unjoined", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    captures.add(kOrigin, {});
    wait_for(captures, kSide, kOrigin);
    captures.add(kSide, {});
    CHECK_THROWS_WITH(captures.end(kOrigin), Catch::Matchers::ContainsSubstring("unjoined"));
    CHECK_FALSE(captures.capture_of(kSide));
}

TEST_CASE("a side stream without work needs no join", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    captures.add(kOrigin, {});
    wait_for(captures, kSide, kOrigin);
    CHECK_NOTHROW(captures.end(kOrigin));
}

TEST_CASE("nodes of a capture that has ended are never reached again", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    captures.add(kOrigin, {});
    const auto old = captures.terminals(kOrigin);
    captures.end(kOrigin);
    captures.begin(kOther, kOrigin);
    captures.add(kOrigin, {});
    captures.add(kOrigin, {});
    CHECK(captures.terminals(kOrigin) != old);
    CHECK_FALSE(captures.all_reached(old, kOrigin));
    CHECK(captures.all_reached(captures.terminals(kOrigin), kOrigin));
}

}  // namespace highwater
