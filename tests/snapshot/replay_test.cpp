// Histories replayed by the allocator's rules: the recorded programs, cut ones, and ones by hand.
#include "sim/snapshot/replay.hpp"

#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "sim/snapshot/gzip_lines.hpp"
#include "sim/snapshot/read_snapshot.hpp"
#include "tests/snapshot/histories.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

using histories::Action;
using literals::operator""_MiB;

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kCuts = 3;
#else
constexpr std::size_t kCuts = 20;
#endif

std::string outcome(const Replay& replay) {
    const auto& departure = replay.departure;
    return departure ? fmt::format("event {}: expected {}, got {}",
                                   departure->event,
                                   departure->expected,
                                   departure->got)
                     : "exact";
}

nlohmann::json measured(const std::string& name) {
    GzipLines lines(histories::path_of(name));
    return nlohmann::json::parse(*lines.next()).at("after");
}

// The active blocks of a base and of a start, in one form.
using Blocks = std::vector<std::array<std::uint64_t, 4>>;

Blocks blocks_of(const std::vector<SnapshotSegment>& segments) {
    Blocks blocks;
    for (const SnapshotSegment& segment : segments) {
        blocks.push_back({segment.address.value,
                          segment.size.count,
                          static_cast<std::uint64_t>(segment.stream),
                          index_of(segment.kind)});
        for (const SnapshotBlock& block : segment.blocks) {
            if (block.state != BlockState::kInactive) {
                blocks.push_back({block.address.value,
                                  block.size.count,
                                  block.requested.count,
                                  block.state == BlockState::kActivePendingFree ? 1U : 0U});
            }
        }
    }
    return blocks;
}

Blocks blocks_of(const History& history) {
    Blocks blocks;
    for (const StartRange& range : history.start) {
        const Region& region = history.regions[index_of(range.region)];
        blocks.push_back({range.address.value,
                          range.size.count,
                          static_cast<std::uint64_t>(region.stream),
                          index_of(region.kind)});
        for (const StartBlock& block : range.blocks) {
            blocks.push_back({block.address.value,
                              block.size.count,
                              block.requested.count,
                              block.is_pending ? 1U : 0U});
        }
    }
    return blocks;
}

}  // namespace

TEST_CASE("ten recorded programs replay exactly, event by event", "[replay][measured]") {
    for (const std::string& name : histories::kModels) {
        INFO(name);
        const Replay result = replay(histories::read(name));
        CHECK(outcome(result) == "exact");
        const nlohmann::json after = measured(name);
        const MemoryStats& end = result.ledger.result;
        CHECK(end.reserved_bytes.all.current == after["reserved"]);
        CHECK(end.reserved_bytes.all.peak == after["peak_reserved"]);
        CHECK(end.allocated_bytes.all.current == after["allocated"]);
        CHECK(end.allocated_bytes.all.peak == after["peak_allocated"]);
        CHECK(end.active_bytes.all.current == after["active"]);
        CHECK(end.inactive_split_bytes.all.current == after["inactive_split"]);
        CHECK(end.requested_bytes.all.current == after["requested"]);
        CHECK(end.segment.all.current == after["segments"]);
    }
}

TEST_CASE("what was there before the first event follows from the end", "[replay][history]") {
    for (const std::string& name : histories::kModels) {
        INFO(name);
        Snapshot snapshot = histories::read(name);
        const std::vector<SnapshotSegment> base = *std::exchange(snapshot.base, std::nullopt);
        const Replay result = replay(snapshot);
        CHECK(outcome(result) == "exact");
        CHECK(blocks_of(result.recorded.history) == blocks_of(base));
    }
}

TEST_CASE("a history that has lost its first events replays exactly from there",
          "[replay][history]") {
    for (const std::string& name : histories::kModels) {
        Snapshot snapshot = histories::read(name);
        snapshot.base.reset();
        const EventList all = std::exchange(snapshot.events, {});
        for (std::size_t i = 1; i <= kCuts; ++i) {
            const std::size_t lost = all.size() * i / kCuts - i % 3;
            INFO(name << " without its first " << lost << " events");
            snapshot.events = EventList(all).part(lost, all.size() - lost);
            CHECK(outcome(replay(snapshot)) == "exact");
        }
    }
}

TEST_CASE("events that cannot have led to the rest are left out, and said to be", "[replay]") {
    Snapshot snapshot;
    snapshot.segments.push_back(histories::free_segment(0x100000, 20_MiB));
    // A free of a block that was freed before, as when recording was off in between.
    histories::add_free(snapshot.events, 0x100000, 2_MiB);
    histories::add_free(snapshot.events, 0x100000, 2_MiB);
    const Replay result = replay(snapshot);
    CHECK(outcome(result) == "exact");
    CHECK(result.recorded.history.first_event == 2);
    REQUIRE(!result.notices.empty());
    CHECK(result.notices.front().find("events 0 to 1") == 0);
}

TEST_CASE("a block that was pending at the start completes when the history says so",
          "[replay][history]") {
    Snapshot snapshot;
    snapshot.segments.push_back(histories::free_segment(0x100000, 20_MiB));
    snapshot.events.push_back(histories::event(Action::kFreeCompleted, 0x100000, 2_MiB));
    const Replay result = replay(snapshot);
    CHECK(outcome(result) == "exact");
    const MemoryStats& start = result.ledger.checkpoints.front().stats;
    CHECK(start.active_bytes.all.current == (2_MiB).count);
    CHECK(start.allocated_bytes.all.current == 0);
    CHECK(result.ledger.result.active_bytes.all.current == 0);
}

TEST_CASE("a departure names the event, both sides and a reason", "[replay]") {
    Snapshot snapshot;
    snapshot.segments.push_back(histories::free_segment(0x100000, 20_MiB));
    snapshot.segments.push_back(histories::free_segment(0x4000000, 20_MiB));
    // The lower of two free blocks of one size serves a request; here it did not.
    snapshot.events.push_back(histories::event(Action::kAlloc, 0x4000000, 2_MiB));
    histories::add_free(snapshot.events, 0x4000000, 2_MiB);
    const Replay result = replay(snapshot);
    REQUIRE(result.departure);
    CHECK(result.departure->event == 0);
    CHECK(result.departure->expected.find("alloc at 0x4000000, 2097152 B") == 0);
    CHECK(result.departure->got.find("alloc at 0x100000, 2097152 B") == 0);
    CHECK(result.departure->reason.find("another free block") == 0);
}

TEST_CASE("memory that came although something cached would have done is of another pool",
          "[replay][pools]") {
    Snapshot snapshot;
    snapshot.segments.push_back(histories::free_segment(0x100000, 20_MiB, 7));
    snapshot.events.push_back(histories::event(Action::kSegmentAlloc, 0x8000000, 20_MiB, 7));
    snapshot.events.push_back(histories::event(Action::kAlloc, 0x8000000, 5_MiB, 7));
    histories::add_free(snapshot.events, 0x8000000, 5_MiB, 7);
    snapshot.events.push_back(histories::event(Action::kSegmentFree, 0x8000000, 20_MiB, 7));
    const Replay result = replay(snapshot);
    CHECK(outcome(result) == "exact");
    const std::vector<Region>& regions = result.recorded.history.regions;
    REQUIRE(regions.size() == 2);
    CHECK(regions[0].pool == kDefaultPoolId);
    CHECK(regions[1].pool != kDefaultPoolId);
}

TEST_CASE("memory without such evidence is taken to be of the default pool", "[replay][pools]") {
    Snapshot snapshot;
    snapshot.events.push_back(histories::event(Action::kSegmentAlloc, 0x8000000, 20_MiB, 7));
    snapshot.events.push_back(histories::event(Action::kAlloc, 0x8000000, 5_MiB, 7));
    histories::add_free(snapshot.events, 0x8000000, 5_MiB, 7);
    snapshot.events.push_back(histories::event(Action::kSegmentFree, 0x8000000, 20_MiB, 7));
    const Replay result = replay(snapshot);
    CHECK(result.recorded.history.regions.at(0).pool == kDefaultPoolId);
}

TEST_CASE("pools that a file does not tell are found from those that it does",
          "[replay][pools][measured]") {
    // The segments of the captures' pool, as if they had been given back in the end.
    Snapshot snapshot = histories::read("pairs/capdesc");
    snapshot.base.reset();
    std::vector<SnapshotSegment> gone;
    std::erase_if(snapshot.segments, [&gone](const SnapshotSegment& segment) {
        const bool is_private = segment.pool != kDefaultPoolId;
        if (is_private) {
            gone.push_back(segment);
        }
        return is_private;
    });
    REQUIRE(!gone.empty());
    for (const SnapshotSegment& segment : gone) {
        for (const SnapshotBlock& block : segment.blocks) {
            if (block.state != BlockState::kInactive) {
                histories::add_free(snapshot.events,
                                    block.address.value,
                                    block.requested,
                                    static_cast<std::uint64_t>(segment.stream));
            }
        }
    }
    for (const SnapshotSegment& segment : gone) {
        snapshot.events.push_back(histories::event(Action::kSegmentFree,
                                                   segment.address.value,
                                                   segment.size,
                                                   static_cast<std::uint64_t>(segment.stream)));
    }
    const Replay result = replay(snapshot);
    CHECK(outcome(result) == "exact");
    for (const Region& region : result.recorded.history.regions) {
        const bool is_private =
            std::ranges::count(gone, region.begin, &SnapshotSegment::address) > 0;
        INFO(region.begin.value);
        CHECK((region.pool != kDefaultPoolId) == is_private);
    }
}

TEST_CASE("settings that were changed while the program ran are found", "[replay]") {
    Snapshot snapshot;
    snapshot.settings.conf = "max_split_size_mb:20";
    // By default 2 MiB are split off a block of 40.
    SnapshotSegment first = histories::free_segment(0x10000000, 40_MiB);
    SnapshotSegment second = histories::free_segment(0x20000000, 40_MiB);
    snapshot.segments = {first, second};
    const auto add = [&snapshot](std::uint64_t segment) {
        snapshot.events.push_back(histories::event(Action::kSegmentAlloc, segment, 40_MiB));
        snapshot.events.push_back(histories::event(Action::kAlloc, segment, 40_MiB));
        histories::add_free(snapshot.events, segment, 40_MiB);
    };
    add(0x10000000);
    snapshot.events.push_back(histories::event(Action::kAlloc, 0x10000000, 2_MiB));
    histories::add_free(snapshot.events, 0x10000000, 2_MiB);
    snapshot.events.push_back(histories::event(Action::kAlloc, 0x10000000, 40_MiB));
    add(0x20000000);
    histories::add_free(snapshot.events, 0x10000000, 40_MiB);
    // With it in force, 2 MiB keep off them.
    snapshot.segments.push_back(histories::free_segment(0x30000000, 20_MiB));
    snapshot.events.push_back(histories::event(Action::kSegmentAlloc, 0x30000000, 20_MiB));
    snapshot.events.push_back(histories::event(Action::kAlloc, 0x30000000, 2_MiB));
    histories::add_free(snapshot.events, 0x30000000, 2_MiB);
    const Replay result = replay(snapshot);
    CHECK(outcome(result) == "exact");
    REQUIRE(!result.notices.empty());
    CHECK(result.notices.front().find("the settings in the file fit from about event") == 0);
}

TEST_CASE("a release of all that is free is the cache emptied, of one pool that pool's end",
          "[replay]") {
    const auto kind_of = [](const SnapshotSegment& left, const SnapshotEvent& freed) {
        Snapshot snapshot;
        snapshot.segments.push_back(left);
        snapshot.events.push_back(freed);
        return replay(snapshot).recorded.requests.at(0).kind;
    };
    SnapshotEvent freed = histories::event(Action::kSegmentFree, 0x8000000, 20_MiB);
    SnapshotSegment other = histories::free_segment(0x100000, 20_MiB);
    freed.pool = PoolId{0, 1};
    CHECK(kind_of(other, freed) == Request::Kind::kReleasePools);
    other.pool = PoolId{0, 1};
    freed.pool = kDefaultPoolId;
    CHECK(kind_of(other, freed) == Request::Kind::kEmptyCache);
    other.pool = kDefaultPoolId;
    CHECK(kind_of(other, freed) == Request::Kind::kRelease);
}

TEST_CASE("blocks whose sizes no allocator gives are refused", "[replay]") {
    Snapshot snapshot;
    snapshot.segments.push_back(histories::free_segment(0x100000, Bytes{1000}));
    CHECK_THROWS_WITH(replay(snapshot), Catch::Matchers::ContainsSubstring("multiples of 512 B"));
}

TEST_CASE("snapshots of programs of many kinds replay exactly", "[replay][recorded]") {
    const auto* name = GENERATE("compiled",  // torch.compile: frames without lines
                                "expand",    // expandable segments
                                "graphs",    // captures, a destroyed graph, a MemPool
                                "history",   // much of it before the first event
                                "oom",       // memory ran out twice
                                "overflow",  // more events than were kept
                                "pooldead",  // a MemPool that is gone
                                "recordstream_pending",
                                "settings");  // changed on the way
    INFO(name);
    const std::string path =
        HIGHWATER_SOURCE_DIR "/tests/recorded/snapshots/" + std::string(name) + ".pickle";
    CHECK(!replay(read_snapshot(path, {}, {})).departure);
}

}  // namespace highwater
