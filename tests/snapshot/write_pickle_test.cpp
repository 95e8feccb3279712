#include "sim/snapshot/write_pickle.hpp"

#include <string>
#include <vector>

#include "sim/allocator/block.hpp"
#include "sim/snapshot/check_snapshot.hpp"
#include "sim/snapshot/read_pickle.hpp"
#include "tests/snapshot/snapshot_files.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

// A stack as its frames: ids of two files do not compare.
std::vector<StackFrame> frames_of(const Snapshot& snapshot, StackId stack) {
    std::vector<StackFrame> frames;
    for (const FrameId frame : snapshot.stacks.frames(stack)) {
        frames.push_back(snapshot.stacks.frame(frame));
    }
    return frames;
}

void check_same_stack(const Snapshot& a, StackId& of_a, const Snapshot& b, StackId& of_b) {
    const bool is_same = frames_of(a, of_a) == frames_of(b, of_b);
    CHECK(is_same);
    of_a = kNoStack;
    of_b = kNoStack;
}

void check_same_segment(const Snapshot& a,
                        SnapshotSegment x,
                        const Snapshot& b,
                        SnapshotSegment y) {
    check_same_stack(a, x.stack, b, y.stack);
    REQUIRE(x.blocks.size() == y.blocks.size());
    for (std::size_t i = 0; i < x.blocks.size(); ++i) {
        check_same_stack(a, x.blocks[i].stack, b, y.blocks[i].stack);
    }
    const bool is_same = x == y;
    CHECK(is_same);
}

void check_same(const Snapshot& a, const Snapshot& b) {
    CHECK(a.device == b.device);
    const bool has_same_settings = a.settings == b.settings;
    CHECK(has_same_settings);
    const bool has_same_annotations = a.annotations == b.annotations;
    CHECK(has_same_annotations);
    REQUIRE(a.segments.size() == b.segments.size());
    for (std::size_t i = 0; i < a.segments.size(); ++i) {
        check_same_segment(a, a.segments[i], b, b.segments[i]);
    }
    REQUIRE(a.events.size() == b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) {
        SnapshotEvent x = a.events[i];
        SnapshotEvent y = b.events[i];
        check_same_stack(a, x.stack, b, y.stack);
        const bool is_same = x == y;
        CHECK(is_same);
    }
}

// One of everything, with numbers of every length.
Snapshot varied_snapshot() {
    Snapshot snapshot;
    snapshot.device = 2;
    const FrameId inner = snapshot.stacks.add_frame({"inner", "a.cpp", 0});
    const FrameId outer = snapshot.stacks.add_frame({std::string(300, 'o'), "\xC3\xA9.py", 70000});
    const StackId stack = snapshot.stacks.add_stack({inner, outer, inner});
    SnapshotSegment segment;
    segment.address = {0x7F0000000000};
    segment.size = {2097152};
    segment.stream = StreamHandle{554226464};
    segment.kind = PoolKind::kLarge;
    segment.pool = {0, 3};
    segment.is_expandable = true;
    segment.stack = stack;
    segment.blocks = {
        {{0x7F0000000000}, {512}, {17}, BlockState::kActiveAllocated, stack},
        {{0x7F0000000200}, {66000}, {65999}, BlockState::kActivePendingFree, kNoStack},
        {{0x7F0000000200 + 66000}, {2097152 - 512 - 66000}, {}, BlockState::kInactive, kNoStack}};
    snapshot.segments.push_back(segment);
    for (int action = 0; action <= static_cast<int>(SnapshotEvent::Action::kAnnotation); ++action) {
        SnapshotEvent event;
        event.action = static_cast<SnapshotEvent::Action>(action);
        event.address = {std::uint64_t{1} << (6 * action + 1)};
        event.size = {(std::uint64_t{1} << (6 * action + 2)) - 1};
        event.stream = StreamHandle{static_cast<std::uint64_t>(action)};
        event.time_us = 1795972060251182 + action;
        event.stack = action % 2 == 0 ? stack : kNoStack;
        event.pool = action % 3 == 0 ? std::optional(PoolId{7, 0}) : std::nullopt;
        snapshot.events.push_back(event);
    }
    snapshot.settings = {"max_split_size_mb:200",
                         200,
                         0.8,
                         true,
                         false,
                         true,
                         8,
                         false,
                         std::vector<std::int64_t>(16, 4)};
    snapshot.annotations = {{"step", true, 1}, {"step", false, 200}};
    return snapshot;
}

TEST_CASE("what is written is read back as it was", "[pickle]") {
    const Snapshot snapshot = varied_snapshot();
    check_snapshot(snapshot);
    const Snapshot again = read_bytes(to_pickle(snapshot));
    check_same(snapshot, again);
    CHECK(again.notices.empty());
}

TEST_CASE("a file of PyTorch's is the same once written anew", "[pickle]") {
    const std::string original = recorded_snapshot("small.pickle");
    const Snapshot snapshot = read_bytes(original);
    const std::string written = to_pickle(snapshot);
    check_same(snapshot, read_bytes(written));
    // Stacks and frames are written once each; Python also numbers what is named only once.
    CHECK(written.size() < original.size());
    CHECK(to_pickle(read_bytes(written)) == written);
}

TEST_CASE("free memory of which nobody knows what it served is written as if it served nothing",
          "[pickle]") {
    SnapshotSegment segment;
    segment.size = Bytes{2'097'152};
    segment.blocks.push_back({.address = {},
                              .size = segment.size,
                              .requested = kUnknownRequest,
                              .state = BlockState::kInactive});
    Snapshot snapshot;
    snapshot.segments.push_back(segment);
    const std::string unknown = to_pickle(snapshot);
    snapshot.segments.front().blocks.front().requested = Bytes{0};
    CHECK(to_pickle(snapshot) == unknown);
}

TEST_CASE("lists longer than Python adds at once are written whole", "[pickle]") {
    Snapshot snapshot;
    const auto count = GENERATE(std::size_t{0}, 999, 1000, 1001, 2000, 3500);
    for (std::size_t i = 0; i < count; ++i) {
        SnapshotEvent event;
        event.address = {i};
        snapshot.events.push_back(event);
    }
    check_same(snapshot, read_bytes(to_pickle(snapshot)));
}

TEST_CASE("an empty snapshot has the keys of any other", "[pickle]") {
    const std::string expected =
        "\x80\x04}(\x8c\x08segments\x94](e\x8c\x0d"
        "device_traces\x94](](ee"
        "\x8c\x12"
        "allocator_settings\x94}(u\x8c\x14"
        "external_annotations\x94](eu.";
    CHECK(to_pickle({}) == expected);
}

}  // namespace
}  // namespace highwater
