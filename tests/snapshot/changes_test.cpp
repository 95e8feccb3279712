#include "sim/snapshot/changes.hpp"

#include "sim/snapshot/captures_found.hpp"
#include "sim/snapshot/stream_map.hpp"
#include "tests/snapshot/histories.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

std::vector<std::uint32_t> mapped(const std::string& text, const Snapshot& snapshot) {
    const Replay replayed = replay(snapshot);
    const StreamMap map = stream_map(
        text, snapshot, replayed.recorded, captures_found(replayed.recorded), "--map-streams");
    std::vector<std::uint32_t> numbers;
    for (const StreamId stream : map.at_start) {
        numbers.push_back(static_cast<std::uint32_t>(stream));
    }
    return numbers;
}

// Streams 0 to 4, as they appear; the second is the busiest.
Snapshot five_streams() {
    Snapshot snapshot;
    using histories::Action;
    const std::vector<std::uint64_t> handles{70, 50, 60, 50, 40};
    std::uint64_t address = 0x10000000;
    for (const std::uint64_t handle : handles) {
        constexpr Bytes kSize{std::uint64_t{20} << 20U};
        snapshot.segments.push_back(histories::free_segment(address, kSize, handle));
        snapshot.events.push_back(histories::event(Action::kSegmentAlloc, address, kSize, handle));
        snapshot.events.push_back(histories::event(Action::kAlloc, address, kSize, handle));
        address += 0x10000000;
    }
    for (std::size_t i = handles.size(); i > 0; --i) {
        address -= 0x10000000;
        histories::add_free(
            snapshot.events, address, Bytes{std::uint64_t{20} << 20U}, handles[i - 1]);
    }
    return snapshot;
}

}  // namespace

TEST_CASE("streams are named as they appear, and found by name or handle", "[streams]") {
    const HistoryStreams streams = replay(five_streams()).recorded.streams;
    CHECK(streams.size() == 5);
    CHECK(streams.name_of(StreamId{2}) == "s2");
    CHECK(streams.find("s2") == streams.find("50"));
    CHECK(streams.find("0x46") == streams.find("s1"));
    CHECK(streams.find("default") == kDefaultStream);
    CHECK(!streams.find("s5"));
    CHECK(!streams.find("s0"));
    CHECK(!streams.find("99"));
    CHECK(!streams.find(""));
}

TEST_CASE("rules send streams to others, later rules over earlier ones", "[streams]") {
    const Snapshot snapshot = five_streams();
    using Numbers = std::vector<std::uint32_t>;
    CHECK(mapped("", snapshot) == Numbers{0, 1, 2, 3, 4});
    // s2 is the busiest.
    CHECK(mapped("side=one", snapshot) == Numbers{0, 1, 2, 1, 1});
    CHECK(mapped("side=one,s4=own", snapshot) == Numbers{0, 1, 2, 1, 4});
    CHECK(mapped("all=default", snapshot) == Numbers{0, 0, 0, 0, 0});
    CHECK(mapped("s2-s4=s1", snapshot) == Numbers{0, 1, 1, 1, 1});
    CHECK(mapped("70=60", snapshot) == Numbers{0, 3, 2, 3, 4});
}

TEST_CASE("rules that say nothing are refused", "[streams]") {
    const Snapshot snapshot = five_streams();
    for (const char* text : {"side", "s9=one", "s1=s9", "s3-s1=one", "=one", ",", "s1="}) {
        INFO(text);
        CHECK_THROWS_AS(mapped(text, snapshot), InputError);
    }
}

TEST_CASE("the captures of one model are told apart by their pattern", "[captures][measured]") {
    const Replay replayed = replay(histories::read("pairs/capasc"));
    const std::vector<FoundCapture> captures = captures_found(replayed.recorded);
    REQUIRE(captures.size() == 6);
    for (std::size_t i = 1; i < captures.size(); ++i) {
        CHECK(captures[i].requested > captures[i - 1].requested);
        CHECK(captures[i].pool == captures[0].pool);
    }
}

TEST_CASE("eager programs show no captures", "[captures][measured]") {
    CHECK(captures_found(replay(histories::read("serve")).recorded).empty());
}

TEST_CASE("orders and pools are read from the command line", "[changes]") {
    CHECK(parse_pool_change("per-graph", "--pools") == PoolChange::kPerGraph);
    CHECK_THROWS_AS(parse_pool_change("own", "--pools"), InputError);
    CHECK(parse_capture_order("2,1", "--capture-order") ==
          CaptureOrderChange(std::vector<std::size_t>{2, 1}));
    for (const char* text : {"", "0", "1,", "up", "1;2"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_capture_order(text, "--capture-order"), InputError);
    }
}

}  // namespace highwater
