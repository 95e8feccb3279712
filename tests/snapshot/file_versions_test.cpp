#include <cstdint>
#include <functional>
#include <string>

#include "sim/allocator/block.hpp"
#include "tests/snapshot/snapshot_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/raw_pickle.hpp"

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;
using Catch::Matchers::ContainsSubstring;
using namespace std::string_literals;
using Change = std::function<void(RawPickle&)>;

constexpr std::int64_t kAddress = 0x7F0000000000;
constexpr std::int64_t kTwoMiB = 2 << 20;

// A pickle of one block or several.
RawPickle& add_block(RawPickle& out, std::int64_t size, const char* state, const Change& more) {
    out.begin_dict().entry("size", size).entry("state", state);
    more(out);
    return out.end_dict();
}

// A segment of 2 MiB with one free block: what a file of 1.x says of it, and `more`.
void add_segment(RawPickle& out, std::int64_t address, const Change& more) {
    out.begin_dict().entry("address", address).entry("total_size", kTwoMiB);
    out.entry("segment_type", "small").text("blocks").begin_list();
    add_block(out, kTwoMiB, "inactive", [](RawPickle&) {});
    out.end_list();
    more(out);
    out.end_dict();
}

std::string segments_only(const Change& more) {
    RawPickle out;
    out.begin_list();
    add_segment(out, kAddress, more);
    return out.end_list().op(".").bytes();
}

// A whole file without segments, but with these events of device 0.
std::string with_events(const Change& events) {
    RawPickle out;
    out.begin_dict().text("segments").op("]").text("device_traces").op("](](");
    events(out);
    return out.op("eeu.").bytes();
}

void add_event(RawPickle& out, const char* action, const Change& more) {
    out.begin_dict().entry("action", action).entry("size", 512).entry("stream", 0);
    more(out);
    out.end_dict();
}

TEST_CASE("a list of segments is a snapshot without a history", "[pickle]") {
    const Snapshot snapshot = read_bytes(segments_only([](RawPickle&) {}));
    REQUIRE(snapshot.segments.size() == 1);
    CHECK(snapshot.segments[0].pool == kDefaultPoolId);
    CHECK_FALSE(snapshot.segments[0].is_expandable);
    CHECK(snapshot.events.empty());
    REQUIRE(snapshot.notices.size() == 1);
    CHECK_THAT(snapshot.notices[0], ContainsSubstring("no history"));
}

TEST_CASE("blocks without addresses follow each other", "[pickle]") {
    RawPickle out;
    out.begin_list().begin_dict().entry("address", kAddress).entry("total_size", kTwoMiB);
    out.entry("segment_type", "large").text("blocks").begin_list();
    add_block(out, 512, "active_allocated", [](RawPickle&) {});
    add_block(out, 1024, "active_awaiting_free", [](RawPickle&) {});
    add_block(out, kTwoMiB - 1536, "inactive", [](RawPickle&) {});
    out.end_list().end_dict().end_list().op(".");
    const Snapshot snapshot = read_bytes(out.bytes());

    const std::vector<SnapshotBlock>& blocks = snapshot.segments.at(0).blocks;
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[2].address.value == static_cast<std::uint64_t>(kAddress + 1536));
    CHECK(blocks[0].requested == kUnknownRequest);
    CHECK(blocks[1].state == BlockState::kActivePendingFree);
    CHECK(blocks[2].requested == Bytes{});
    CHECK_THAT(snapshot.notices.back(), ContainsSubstring("requested"));
}

TEST_CASE("the pool of an event may be a tuple or a list, under either key", "[pickle]") {
    const std::string key = GENERATE("pool_id", "segment_pool_id");
    const auto value = GENERATE(std::string("K\x07K\x03\x86"),
                                std::string("](K\x07K\x03"
                                            "e"));
    const Snapshot snapshot = read_bytes(with_events([&](RawPickle& out) {
        add_event(out, "alloc", [&](RawPickle& event) {
            event.entry("addr", kAddress).text(key).op(value);
        });
    }));
    CHECK(snapshot.events.at(0).pool == PoolId{7, 3});
}

TEST_CASE("an oom has what the driver had free, and marks need no address", "[pickle]") {
    const Snapshot snapshot = read_bytes(with_events([](RawPickle& out) {
        add_event(out, "oom", [](RawPickle& event) { event.entry("device_free", 77); });
        add_event(out, "user_defined", [](RawPickle&) {});
        add_event(out, "annotate", [](RawPickle&) {});
        out.begin_dict().entry("action", "snapshot").end_dict();
    }));
    REQUIRE(snapshot.events.size() == 4);
    CHECK(snapshot.events[0].address.value == 77);
    CHECK(snapshot.events[1].action == Action::kAnnotation);
    CHECK(snapshot.events[2].action == Action::kAnnotation);
    CHECK(snapshot.events[3].action == Action::kSnapshot);
}

TEST_CASE("events of an unknown action are passed over, with a notice", "[pickle]") {
    const Snapshot snapshot = read_bytes(with_events([](RawPickle& out) {
        add_event(out, "alloc", [](RawPickle& event) { event.entry("addr", 512); });
        add_event(out, "compact", [](RawPickle&) {});
        add_event(out, "free_requested", [](RawPickle& event) { event.entry("addr", 512); });
        add_event(out, "compact", [](RawPickle&) {});
    }));
    REQUIRE(snapshot.events.size() == 2);
    CHECK(snapshot.events[1].action == Action::kFreeRequested);
    REQUIRE(snapshot.notices.size() == 1);
    CHECK_THAT(snapshot.notices[0], ContainsSubstring("2 events with the action `compact`"));
}

TEST_CASE("keys of later versions are passed over, whatever they hold", "[pickle]") {
    const Snapshot snapshot = read_bytes(with_events([](RawPickle& out) {
        add_event(out, "alloc", [](RawPickle& event) {
            event.entry("addr", 512)
                .text("later")
                .op("}(K\x01](NK\x02"
                    "eu");
            event.text("hash").op("\x8a\x09").little(UINT64_MAX, 8).little(0, 1);
            event.text("raw").op(
                "C\x03"
                "abc");
        });
    }));
    CHECK(snapshot.events.size() == 1);
    CHECK(snapshot.notices.empty());
}

TEST_CASE("of several devices one must be named", "[pickle]") {
    RawPickle out;
    out.begin_dict().text("segments").begin_list();
    add_segment(out, kAddress, [](RawPickle& segment) { segment.entry("device", 3); });
    out.end_list().text("device_traces").op("](](");
    add_event(out, "alloc", [](RawPickle& event) { event.entry("addr", 512); });
    const std::string bytes = out.op("eeu.").bytes();

    CHECK_THAT(error_of(bytes), ContainsSubstring("memory of 2 devices; say which: 0, 3"));
    CHECK(read_bytes(bytes, 0).segments.empty());
    CHECK(read_bytes(bytes, 0).events.size() == 1);
    CHECK(read_bytes(bytes, 3).segments.size() == 1);
    CHECK(read_bytes(bytes, 3).events.empty());
    CHECK_THROWS_WITH(read_bytes(bytes, 1), ContainsSubstring("nothing of device 1"));
}

TEST_CASE("the only device there is anything of is read", "[pickle]") {
    const Snapshot snapshot =
        read_bytes(segments_only([](RawPickle& segment) { segment.entry("device", 5); }));
    CHECK(snapshot.device == 5);
}

TEST_CASE("segments come in the order of their addresses", "[pickle]") {
    RawPickle out;
    out.begin_list();
    add_segment(out, kAddress + kTwoMiB, [](RawPickle&) {});
    add_segment(out, kAddress, [](RawPickle&) {});
    const Snapshot snapshot = read_bytes(out.end_list().op(".").bytes());
    REQUIRE(snapshot.segments.size() == 2);
    CHECK(snapshot.segments[0].address < snapshot.segments[1].address);
}

TEST_CASE("what a key holds must be what it is for", "[pickle]") {
    const auto [key, value, said] = GENERATE(table<std::string, std::string, std::string>({
        {"addr", "J\xff\xff\xff\xff", "`addr` of an event is -1, below 0"},
        {"addr", "\x8a\x08\x01\x00\x00\x00\x00\x00\x00\x40"s, "is 4611686018427387905, above 2^62"},
        {"addr", "\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00"s, "is not between 0 and 2^62"},
        {"size", "N", "`size` of an event is not an integer"},
        {"stream", "\x88", "`stream` of an event is not an integer"},
        {"frames", "](Ne", "`frames` of an event are no list of frames"},
        {"pool_id", "K\x01", "`pool_id` of an event is not two integers"},
        {"action", "N", "`action` of an event is not a string"},
        {"time_us", "](e", "`time_us` of an event is not an integer"},
    }));
    CAPTURE(said);
    const std::string entry = RawPickle().text(key).op(value).bytes();
    const std::string bytes = with_events([&](RawPickle& out) {
        add_event(out, "alloc", [&](RawPickle& event) { event.entry("addr", kAddress).op(entry); });
    });
    CHECK_THAT(error_of(bytes), ContainsSubstring(said));
}

TEST_CASE("what an event cannot do without must be there", "[pickle]") {
    CHECK_THAT(
        error_of(with_events([](RawPickle& out) { add_event(out, "alloc", [](RawPickle&) {}); })),
        ContainsSubstring("`addr` of an event is missing"));
}

}  // namespace
}  // namespace highwater
