// What is said of a replay at large.
#include "sim/report/replay_report.hpp"

#include "sim/snapshot/read_snapshot.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

ReplayReport report_of(const Snapshot& snapshot) {
    const Replay replayed = replay(snapshot);
    return {.file = snapshot.name,
            .events = snapshot.events.size(),
            .conf = {},
            .replay = replayed,
            .ooms = recorded_ooms(snapshot, replayed.recorded.streams),
            .changes = {},
            .what_if = {},
            .why = {},
            .advice = {},
            .notices = {}};
}

Snapshot snapshot_named(const std::string& name) {
    return read_snapshot(
        HIGHWATER_SOURCE_DIR "/tests/recorded/snapshots/" + name + ".pickle", {}, {});
}

}  // namespace

TEST_CASE("a history of which most cannot have happened is no answer", "[replay_report]") {
    const Snapshot snapshot = snapshot_named("small");
    CHECK(is_answered(report_of(snapshot)));
    Snapshot reversed = snapshot;
    reversed.events = {};
    for (std::size_t i = snapshot.events.size(); i > 0; --i) {
        reversed.events.push_back(snapshot.events[i - 1]);
    }
    const ReplayReport report = report_of(reversed);
    CHECK(!is_answered(report));
    CHECK(replay_tables(report).find("exact: all") == std::string::npos);
}

TEST_CASE("where memory ran out in a recording is told", "[replay_report]") {
    const ReplayReport report = report_of(snapshot_named("oom"));
    REQUIRE(report.ooms.size() == 2);
    CHECK(report.ooms.back().event == 149);
    CHECK(replay_tables(report).find("memory ran out 2 times in the recording, last at event 149: "
                                     "28.0 MiB on stream default") != std::string::npos);
    CHECK(report_of(snapshot_named("small")).ooms.empty());
}

}  // namespace highwater
