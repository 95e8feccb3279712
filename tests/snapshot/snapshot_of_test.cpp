#include "sim/snapshot/snapshot_of.hpp"

#include <chrono>
#include <vector>

#include "sim/snapshot/check_snapshot.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using Action = SnapshotEvent::Action;

TEST_CASE("the snapshot of a simulation has its segments, events and settings", "[snapshot]") {
    const std::vector<StreamHandle> streams{StreamHandle{0}, StreamHandle{0x2108b6a0}};
    const AllocatorSettings settings =
        parse_settings("max_split_size_mb:200,roundup_power2_divisions:4");
    const PoolId pool{0, 3};
    const std::vector<SegmentInfo> segments{
        {{(2_MiB).count},
         2_MiB,
         StreamId{1},
         PoolKind::kSmall,
         pool,
         false,
         {{{(2_MiB).count}, 512_B, 100_B, BlockState::kActiveAllocated},
          {Address{(2_MiB).count} + 512_B, 2_MiB - 512_B, 0_B, BlockState::kInactive}}}};
    const std::vector<TraceEvent> events{
        {TraceEvent::Kind::kSegmentAlloc, StreamId{1}, {(2_MiB).count}, 2_MiB, pool},
        {TraceEvent::Kind::kAlloc, StreamId{1}, {(2_MiB).count}, 100_B, pool}};
    const std::vector<Instant> times{Instant{1999ns}, Instant{2ms}};

    const Snapshot snapshot = snapshot_of({segments, events, times, settings, streams}, "run");

    REQUIRE(snapshot.events.size() == 2);
    CHECK(snapshot.events[0].action == Action::kSegmentAlloc);
    CHECK(snapshot.events[0].time_us == 1);
    CHECK(snapshot.events[1].time_us == 2000);
    CHECK(snapshot.events[1].stream == streams[1]);
    CHECK(snapshot.events[1].size == 100_B);
    CHECK(snapshot.events[1].pool == pool);
    REQUIRE(snapshot.segments.size() == 1);
    CHECK(snapshot.segments[0].stream == streams[1]);
    CHECK(snapshot.segments[0].blocks.at(0).requested == 100_B);
    CHECK(snapshot.settings.max_split_size == static_cast<std::int64_t>((200_MiB).count));
    CHECK(snapshot.settings.conf == settings.conf);
    CHECK(snapshot.settings.roundup_power2_divisions == std::vector<std::int64_t>(16, 4));
    CHECK(check_snapshot(snapshot).empty());
}

TEST_CASE("without times a simulated history has none", "[snapshot]") {
    const std::vector<TraceEvent> events(3);
    const std::vector<StreamHandle> streams{StreamHandle{0}};
    const AllocatorSettings settings;
    const Snapshot snapshot = snapshot_of({{}, events, {}, settings, streams}, "run");
    REQUIRE(snapshot.events.size() == 3);
    CHECK(snapshot.events[2].time_us == 0);
    CHECK(snapshot.settings.max_split_size == -1);
}

}  // namespace
}  // namespace highwater
