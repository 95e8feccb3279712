#include "sim/snapshot/read_pickle.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/snapshot/snapshot_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/raw_pickle.hpp"

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;

std::size_t count_of(const Snapshot& snapshot, Action action) {
    return static_cast<std::size_t>(std::ranges::count(
        snapshot.events, action, [](const SnapshotEvent& event) { return event.action; }));
}

TEST_CASE("a file that PyTorch 2.11 wrote is read", "[pickle]") {
    const Snapshot snapshot = read_bytes(recorded_snapshot("small.pickle"));

    CHECK(snapshot.device == 0);
    CHECK(snapshot.notices.empty());
    CHECK(snapshot.segments.size() == 12);
    CHECK(snapshot.events.size() == 885);
    CHECK(count_of(snapshot, Action::kAlloc) == 297);
    CHECK(count_of(snapshot, Action::kFreeRequested) == 286);
    CHECK(count_of(snapshot, Action::kFreeCompleted) == 286);
    CHECK(count_of(snapshot, Action::kSegmentAlloc) == 12);
    CHECK(count_of(snapshot, Action::kSegmentFree) == 4);
    CHECK(snapshot.settings.conf == "");
    CHECK(snapshot.settings.max_split_size == -1);
    CHECK(snapshot.settings.garbage_collection_threshold == 0.0);
    CHECK(snapshot.settings.expandable_segments == false);
    CHECK(snapshot.settings.roundup_power2_divisions == std::vector<std::int64_t>(16, 0));
}

TEST_CASE("an event has its address, size, stream, time and call stack", "[pickle]") {
    const Snapshot snapshot = read_bytes(recorded_snapshot("small.pickle"));

    const SnapshotEvent& event = snapshot.events.at(5);
    CHECK(event.action == Action::kAlloc);
    CHECK(event.address.value == 140100621041664);
    CHECK(event.size.count == 1048576);
    CHECK(event.stream == StreamHandle{554226464});
    CHECK(event.time_us == 1795972060280716);
    CHECK_FALSE(event.pool.has_value());
    const StackFrame& innermost =
        snapshot.stacks.frame(snapshot.stacks.frames(event.stack).front());
    CHECK(innermost == StackFrame{"torch::unwind::unwind()", "??", 0});
}

TEST_CASE("the stacks of a file are kept once each", "[pickle]") {
    const Snapshot snapshot = read_bytes(recorded_snapshot("small.pickle"));

    CHECK(snapshot.stacks.size() == 111);
    CHECK(snapshot.stacks.frame_count() == 239);
}

}  // namespace
}  // namespace highwater
