// One recorded history as every release of PyTorch from 2.1 to 2.15 would have written it.
#include <algorithm>
#include <map>

#include "sim/snapshot/replay.hpp"
#include "sim/snapshot/write_pickle.hpp"
#include "tests/snapshot/snapshot_files.hpp"
#include "tests/snapshot/versioned_file.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;

// Recorded from PyTorch 2.11, with the pools that 2.12 would have given its events.
Snapshot recorded() {
    Snapshot snapshot = read_bytes(recorded_snapshot("small.pickle"));
    const Replay replayed = replay(snapshot);
    EventList events;
    for (std::size_t i = 0; i < snapshot.events.size(); ++i) {
        SnapshotEvent event = snapshot.events[i];
        const RegionId region = replayed.recorded.history.region_of(i);
        if (region != kNoRegion) {
            event.pool = replayed.recorded.history.regions[index_of(region)].pool;
        }
        events.push_back(event);
    }
    snapshot.events = std::move(events);
    return snapshot;
}

bool is_kept(const SnapshotEvent& read, SnapshotEvent whole, const VersionedFile& file) {
    whole.time_us = file.has_times() ? whole.time_us : 0;
    whole.pool =
        file.has_event_pools() ? std::optional(whole.pool.value_or(kDefaultPoolId)) : std::nullopt;
    whole.stack = read.stack;
    return read == whole;
}

// The innermost frames of a stack.
std::vector<StackFrame> frames(const Snapshot& snapshot, StackId stack, std::size_t count) {
    std::vector<StackFrame> result;
    for (const FrameId id : snapshot.stacks.frames(stack)) {
        if (result.size() < count) {
            result.push_back(snapshot.stacks.frame(id));
        }
    }
    return result;
}

TEST_CASE("what each release writes is read, and replays exactly", "[pickle][releases]") {
    const unsigned minor = GENERATE(range(1U, 16U));
    const std::size_t kept = GENERATE(std::size_t{0}, std::size_t{3});
    CAPTURE(minor, kept);
    const Snapshot whole = recorded();
    const VersionedFile file{minor, {&whole}, kept};
    const Snapshot read = read_bytes(file.bytes());

    REQUIRE(read.events.size() == whole.events.size() + (file.has_marks() ? 1 : 0));
    std::size_t same = 0;
    for (std::size_t i = 0; i < whole.events.size(); ++i) {
        const bool has_frames =
            frames(read, read.events[i].stack, kept) == frames(whole, whole.events[i].stack, kept);
        same += is_kept(read.events[i], whole.events[i], file) && has_frames ? 1U : 0U;
    }
    CHECK(same == whole.events.size());
    CHECK((read.events.back().action == Action::kAnnotation) == file.has_marks());

    CHECK(read.settings.conf.has_value() == file.has_settings());
    CHECK(read.settings.pinned_num_register_threads.has_value() == file.has_settings());
    CHECK(read.settings.graph_capture_record_stream_reuse.has_value() == (minor >= 10));
    CHECK(read.annotations.size() == (file.has_annotations() ? 2 : 0));
    CHECK(read.segments.size() == whole.segments.size());
    CHECK(!replay(read).departure);
}

TEST_CASE("a full ring has lost the first events of any release", "[replay][releases]") {
    const unsigned minor = GENERATE(range(1U, 16U));
    const std::size_t lost = GENERATE(std::size_t{100}, std::size_t{400}, std::size_t{884});
    CAPTURE(minor, lost);
    Snapshot rest = recorded();
    const std::size_t all = rest.events.size();
    rest.events = std::move(rest.events).part(lost, all - lost);
    const Snapshot read = read_bytes(VersionedFile{minor, {&rest}, 1}.bytes());
    CHECK(!replay(read).departure);
}

TEST_CASE("each of several devices is read by itself", "[pickle][releases]") {
    const unsigned minor = GENERATE(range(1U, 16U));
    CAPTURE(minor);
    const Snapshot first = recorded();
    Snapshot second = first;
    second.segments.erase(second.segments.begin());
    second.events = {};
    const VersionedFile file{minor, {&first, &second}, 1};
    const Snapshot read = read_bytes(file.bytes(), 0);
    CHECK(read.segments.size() == first.segments.size());
    CHECK(!replay(read).departure);
    const Snapshot other = read_bytes(file.bytes(), 1);
    CHECK(other.device == 1);
    CHECK(other.segments.size() == first.segments.size() - 1);
    CHECK(other.events.size() == (file.has_marks() ? 1 : 0));
    // The annotations are of device 0.
    CHECK(other.annotations.empty());
}

TEST_CASE("a file of any release is the same once written anew", "[pickle][releases]") {
    const unsigned minor = GENERATE(range(1U, 16U));
    CAPTURE(minor);
    const Snapshot whole = recorded();
    const Snapshot read = read_bytes(VersionedFile{minor, {&whole}, 2}.bytes());
    const Snapshot again = read_bytes(to_pickle(read));
    CHECK(again.events == read.events);
    CHECK(again.segments == read.segments);
    CHECK(again.settings == read.settings);
    CHECK(again.annotations == read.annotations);
}

}  // namespace
}  // namespace highwater
