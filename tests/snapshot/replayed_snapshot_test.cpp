// What was replayed, written as PyTorch would have.
#include "sim/snapshot/replayed_snapshot.hpp"

#include <sstream>

#include "sim/snapshot/read_pickle.hpp"
#include "sim/snapshot/read_snapshot.hpp"
#include "sim/snapshot/write_pickle.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

Snapshot read_recorded(const std::string& name) {
    return read_snapshot(HIGHWATER_SOURCE_DIR "/tests/recorded/" + name, {}, {});
}

// Of files that do not tell an event's pool.
std::vector<SnapshotEvent> without_pools(const EventList& events) {
    std::vector<SnapshotEvent> result;
    for (SnapshotEvent event : events) {
        event.pool.reset();
        if (event.action != SnapshotEvent::Action::kSnapshot &&
            event.action != SnapshotEvent::Action::kAnnotation) {
            result.push_back(event);
        }
    }
    return result;
}

}  // namespace

TEST_CASE("a replay gives the snapshot back, with its times and its stacks",
          "[replayed_snapshot]") {
    const Snapshot snapshot = read_recorded("snapshots/small.pickle");
    const Snapshot again = replayed_snapshot(snapshot, replay(snapshot), {});
    CHECK(without_pools(again.events) == without_pools(snapshot.events));
    CHECK(again.segments == snapshot.segments);
    CHECK(again.settings.conf == snapshot.settings.conf);
    CHECK(again.stacks.size() == snapshot.stacks.size());
}

TEST_CASE("what free memory served last is written as it was read", "[replayed_snapshot]") {
    const Snapshot snapshot = read_recorded("snapshots/small.pickle");
    std::istringstream file(to_pickle(replayed_snapshot(snapshot, replay(snapshot), {})));
    CHECK(read_pickle(file, "again", {}).segments == snapshot.segments);
}

TEST_CASE("a what-if is a snapshot that replays exactly to the same end", "[replayed_snapshot]") {
    const auto* name = GENERATE("snapshots/small.pickle", "models/cap-asc.jsonl.gz");
    const Snapshot snapshot = read_recorded(name);
    const Replay replayed = replay(snapshot);
    Changes changes;
    changes.conf = "expandable_segments:True";
    const Snapshot changed = replayed_snapshot(snapshot, replayed, changes);
    CHECK(changed.settings.expandable_segments == true);
    const Replay again = replay(changed);
    CHECK(!again.departure);
    CHECK(again.ledger.result.reserved_bytes ==
          what_if(snapshot, replayed, changes).ledger.result.reserved_bytes);
}

TEST_CASE("streams that no file has are written so that they can be read back",
          "[replayed_snapshot]") {
    const Snapshot snapshot = read_recorded("snapshots/small.pickle");
    Changes changes;
    changes.map_streams = "s1-s2=new";
    const Snapshot changed = replayed_snapshot(snapshot, replay(snapshot), changes);
    std::istringstream file(to_pickle(changed));
    const Snapshot again = read_pickle(file, "again", {});
    CHECK(again.segments.size() == changed.segments.size());
    CHECK(!replay(again).departure);
}

}  // namespace highwater
