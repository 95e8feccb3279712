#include "sim/snapshot/check_snapshot.hpp"

#include <functional>
#include <string>

#include "sim/allocator/block.hpp"
#include "sim/core/error.hpp"
#include "sim/snapshot/write_pickle.hpp"
#include "tests/snapshot/snapshot_files.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using namespace literals;
using Catch::Matchers::ContainsSubstring;

SnapshotSegment segment_at(Address address) {
    SnapshotSegment segment;
    segment.address = address;
    segment.size = 2_MiB;
    segment.blocks = {{address, 1_MiB, 1000_B, BlockState::kActiveAllocated, kNoStack},
                      {address + 1_MiB, 1_MiB, 0_B, BlockState::kInactive, kNoStack}};
    return segment;
}

Snapshot two_segments() {
    Snapshot snapshot;
    snapshot.name = "x";
    snapshot.segments = {segment_at({(4_MiB).count}), segment_at({(6_MiB).count})};
    return snapshot;
}

std::string error_after(const std::function<void(Snapshot&)>& change) {
    Snapshot snapshot = two_segments();
    change(snapshot);
    try {
        check_snapshot(snapshot);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST_CASE("segments that touch and are tiled are in order", "[check]") {
    CHECK(check_snapshot(two_segments()).empty());
}

TEST_CASE("blocks tile their segment", "[check]") {
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[1].blocks[1].address.value += 512; }),
               ContainsSubstring("x: error: segment 1, block 1: it begins at 0x700200, and what "
                                 "is before it ends at 0x700000"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[0].blocks.pop_back(); }),
               ContainsSubstring("segment 0: its blocks end at 0x500000, and it ends at 0x600000"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[0].blocks.clear(); }),
               ContainsSubstring("segment 0: its blocks end at 0x400000"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[0].size = {}; }),
               ContainsSubstring("segment 0: it has no size"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[0].blocks[0].size = {}; }),
               ContainsSubstring("segment 0, block 0: it has no size"));
}

TEST_CASE("segments do not overlap", "[check]") {
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[1] = segment_at({(5_MiB).count}); }),
               ContainsSubstring("segment 1: it begins inside segment 0"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[1] = s.segments[0]; }),
               ContainsSubstring("segment 1: it begins inside segment 0"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[0] = segment_at({(7_MiB).count}); }),
               ContainsSubstring("segment 0: it begins inside segment 1"));
}

TEST_CASE("no more was requested of a block in use than it has", "[check]") {
    const auto request = [](std::size_t block, Bytes requested) {
        return error_after([=](Snapshot& s) { s.segments[0].blocks[block].requested = requested; });
    };
    CHECK(request(0, 1_MiB).empty());
    CHECK(request(0, kUnknownRequest).empty());
    CHECK_THAT(request(0, 1_MiB + 1_B), ContainsSubstring("segment 0, block 0: 1048577 bytes"));
    // What a free block served last may have been larger: it was cut since.
    CHECK(request(1, 5_MiB).empty());
}

TEST_CASE("sizes and addresses are at most 2^62", "[check]") {
    const auto put = [](Bytes size, std::uint64_t address) {
        return error_after([=](Snapshot& s) {
            SnapshotEvent event;
            event.size = size;
            event.address = {address};
            s.events = {{}, event};
        });
    };
    CHECK(put(kMostBytes, kMostBytes.count).empty());
    CHECK_THAT(put(kMostBytes + 1_B, 0), ContainsSubstring("event 1: its address or size"));
    CHECK_THAT(put({}, kMostBytes.count + 1), ContainsSubstring("event 1: its address or size"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[0].size = {UINT64_MAX}; }),
               ContainsSubstring("segment 0: its address or size"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[0].blocks[1].size = {UINT64_MAX}; }),
               ContainsSubstring("segment 0, block 1: its address or size"));
}

TEST_CASE("stacks are in the table", "[check]") {
    CHECK_THAT(error_after([](Snapshot& s) {
                   SnapshotEvent last;
                   last.stack = StackId{0};
                   s.events = {{}, {}, last};
               }),
               ContainsSubstring("event 2: its call stack is not in the file"));
    CHECK_THAT(error_after([](Snapshot& s) { s.segments[1].blocks[0].stack = StackId{7}; }),
               ContainsSubstring("segment 1: its call stack is not in the file"));
}

TEST_CASE("the base is held to the same", "[check]") {
    CHECK_THAT(error_after([](Snapshot& s) {
                   s.base = {segment_at({(4_MiB).count})};
                   s.base->front().blocks.pop_back();
               }),
               ContainsSubstring("segment 0: its blocks end"));
}

TEST_CASE("events that are earlier than those before them are noticed", "[check]") {
    Snapshot snapshot = two_segments();
    for (const std::int64_t time : {10, 20, 15, 16, 12}) {
        SnapshotEvent event;
        event.time_us = time;
        snapshot.events.push_back(event);
    }
    const std::vector<std::string> notices = check_snapshot(snapshot);
    REQUIRE(notices.size() == 1);
    CHECK_THAT(notices[0], ContainsSubstring("2 of 5 events"));
    CHECK_THAT(notices[0], ContainsSubstring("by 5 us at most"));
}

TEST_CASE("totals that a file gives are those of its blocks", "[check]") {
    const SnapshotSegment segment = segment_at({(4_MiB).count});
    CHECK_NOTHROW(check_segment("x", "segment 0", segment, {1_MiB, 1_MiB, 1000_B}));
    CHECK_THROWS_WITH(check_segment("x", "segment 0", segment, {2_MiB, 1_MiB, 1000_B}),
                      ContainsSubstring("its allocated size is given as 2097152, and its blocks "
                                        "come to 1048576"));
    CHECK_THROWS_WITH(check_segment("x", "segment 0", segment, {1_MiB, 0_B, 1000_B}),
                      ContainsSubstring("its active size is given as 0"));
    CHECK_THROWS_WITH(check_segment("x", "segment 0", segment, {1_MiB, 1_MiB, 999_B}),
                      ContainsSubstring("its requested size is given as 999"));
}

TEST_CASE("a pickle that lies about a segment is refused", "[check][pickle]") {
    Snapshot snapshot = two_segments();
    CHECK(error_of(to_pickle(snapshot)).empty());
    snapshot.segments[1].size = 3_MiB;
    CHECK_THAT(error_of(to_pickle(snapshot)), ContainsSubstring("x.pickle: error: segment 1"));
    snapshot.segments[1] = segment_at({(5_MiB).count});
    CHECK_THAT(error_of(to_pickle(snapshot)), ContainsSubstring("begins inside segment 0"));
}

}  // namespace
}  // namespace highwater
