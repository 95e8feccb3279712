#include "sim/snapshot/event_list.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;

SnapshotEvent event(std::uint64_t address, std::int64_t time_us) {
    SnapshotEvent made;
    made.action = Action::kFreeRequested;
    made.stack = StackId{7};
    made.stream = StreamHandle{0x55550000};
    made.address = {address};
    made.size = {1234};
    made.time_us = time_us;
    return made;
}

// More than a piece; times jump and step back on the way.
std::vector<SnapshotEvent> many() {
    constexpr std::int64_t kHour = 3'600'000'000;
    std::vector<SnapshotEvent> events;
    for (std::uint64_t i = 0; i < 150000; ++i) {
        const auto step = static_cast<std::int64_t>(i);
        events.push_back(event(0x7F0000000000 + i * 512, step / 40000 * kHour + step % 7));
        events.back().size = {i % 50};
    }
    return events;
}

TEST_CASE("every part of an event comes out as it went in", "[events]") {
    const std::uint64_t address =
        GENERATE(std::uint64_t{0}, 1, 512, 0x7F1234567800, 0x3FFFFFFFFFFFFFFF, 0x4000000000000000);
    const std::int64_t time = GENERATE(std::int64_t{0}, 1, -1, 1795972060251182, INT64_MAX);
    SnapshotEvent whole = event(address, time);
    whole.pool = PoolId{3, UINT64_MAX};
    const SnapshotEvent plain{};
    const EventList log{whole, plain, whole};
    CHECK(log.size() == 3);
    CHECK(log[0] == whole);
    CHECK(log[1] == plain);
    CHECK(log.back() == whole);
}

TEST_CASE("long histories come out as they went in, in order and at any place", "[events]") {
    const std::vector<SnapshotEvent> events = many();
    const EventList log{std::span(events)};
    REQUIRE(log.size() == events.size());
    CHECK(std::ranges::equal(log, events));
    CHECK(log[70000] == events[70000]);
    CHECK(log[39999] == events[39999]);
    CHECK(log[40000] == events[40000]);
}

TEST_CASE("a part of a history is a history", "[events]") {
    const std::vector<SnapshotEvent> events = many();
    const auto [first, count] = GENERATE(table<std::size_t, std::size_t>(
        {{0, 150000}, {0, 1}, {65536, 65536}, {65535, 3}, {149999, 1}, {10, 0}}));
    const EventList part = EventList{std::span(events)}.part(first, count);
    CHECK(std::ranges::equal(part, std::span(events).subspan(first, count)));
    CHECK(part == EventList{std::span(events).subspan(first, count)});
}

TEST_CASE("histories are the same if their events are, however they came together", "[events]") {
    const SnapshotEvent a = event(512, 5);
    const SnapshotEvent b = event(1024, 5'000'000'000'000);
    EventList log = EventList{b, b, a, b}.part(2, 2);
    CHECK(log == EventList{a, b});
    CHECK_FALSE(log == EventList{b, a});
    CHECK_FALSE(log == EventList{a});
    log.push_back(a);
    CHECK(log == EventList{a, b, a});
}

}  // namespace
}  // namespace highwater
