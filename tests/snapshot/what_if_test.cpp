// What a history would have reserved under other circumstances, beside what was measured when the
// program ran under them.
#include "sim/snapshot/what_if.hpp"

#include <algorithm>

#include "sim/snapshot/profile.hpp"
#include "tests/snapshot/histories.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

struct Asked {
    Snapshot snapshot;
    Replay replayed;

    explicit Asked(const std::string& name)
        : snapshot(histories::read(name)), replayed(replay(snapshot)) {}
    WhatIf operator()(const Changes& changes) const { return what_if(snapshot, replayed, changes); }
};

std::string reserved_text(const Ledger& ledger) {
    return fmt::format("{} at the end, {} at most",
                       ledger.result.reserved_bytes.all.current,
                       ledger.result.reserved_bytes.all.peak);
}

Changes with_conf(const std::string& conf) {
    Changes changes;
    changes.conf = conf;
    return changes;
}

}  // namespace

TEST_CASE("the two recorded pairs of expandable segments are met to the byte",
          "[what_if][measured]") {
    const Changes expandable = with_conf("expandable_segments:True");
    CHECK(reserved_text(Asked("train")(expandable).ledger) ==
          reserved_text(Asked("expand-train").replayed.ledger));
    CHECK(reserved_text(Asked("cap-asc")(expandable).ledger) ==
          reserved_text(Asked("expand-cap-asc").replayed.ledger));
}

TEST_CASE("a what-if that changes nothing is the replay itself", "[what_if]") {
    for (const std::string& name : histories::kModels) {
        INFO(name);
        const Asked asked(name);
        const WhatIf same = asked(with_conf(*asked.snapshot.settings.conf));
        CHECK(same.parts_at == std::nullopt);
        CHECK(same.ledger.segments == asked.replayed.ledger.segments);
        CHECK(same.ledger.result.reserved_bytes == asked.replayed.ledger.result.reserved_bytes);
        CHECK(same.ledger.result.allocated_bytes == asked.replayed.ledger.result.allocated_bytes);
        CHECK(!same.ledger.failure);
    }
}

TEST_CASE("captures in another order reserve what they did when measured so",
          "[what_if][captures][measured]") {
    Changes changes;
    changes.capture_order = SizeOrder::kDescending;
    CHECK(reserved_text(Asked("pairs/capasc")(changes).ledger) ==
          reserved_text(Asked("pairs/capdesc").replayed.ledger));
    CHECK(reserved_text(Asked("cap-asc")(changes).ledger) ==
          reserved_text(Asked("cap-desc").replayed.ledger));
    changes.capture_order = SizeOrder::kAscending;
    CHECK(reserved_text(Asked("pairs/capdesc")(changes).ledger) ==
          reserved_text(Asked("pairs/capasc").replayed.ledger));
    changes.capture_order = std::vector<std::size_t>{6, 5, 4, 3, 2, 1};
    CHECK(reserved_text(Asked("pairs/capdesc")(changes).ledger) ==
          reserved_text(Asked("pairs/capasc").replayed.ledger));
}

TEST_CASE("captures that share a pool, or do not, reserve what they did when measured so",
          "[what_if][captures][measured]") {
    Changes changes;
    changes.pools = PoolChange::kPerGraph;
    CHECK(reserved_text(Asked("pairs/capdesc")(changes).ledger) ==
          reserved_text(Asked("pairs/cappools").replayed.ledger));
    changes.pools = PoolChange::kShared;
    CHECK(reserved_text(Asked("pairs/cappools")(changes).ledger) ==
          reserved_text(Asked("pairs/capdesc").replayed.ledger));
}

TEST_CASE("side streams that become one share their workspaces of cuBLAS, as when measured so",
          "[what_if][streams][measured]") {
    Changes changes;
    changes.map_streams = "side=one";
    const WhatIf shared = Asked("pairs/moepl")(changes);
    CHECK(reserved_text(shared.ledger) == reserved_text(Asked("pairs/moesh").replayed.ledger));
    // Of 12 streams, each 32 MiB.
    CHECK(std::ranges::any_of(shared.notices, [](const std::string& notice) {
        return notice.find("11 allocations of 369098752 B together are taken for workspaces") == 0;
    }));
}

TEST_CASE("memory that runs out is told with the request that failed", "[what_if]") {
    const Asked asked("train");
    Changes changes;
    const std::uint64_t peak = asked.replayed.ledger.result.reserved_bytes.all.peak;
    changes.capacity = Bytes{peak};
    CHECK(!asked(changes).ledger.failure);
    changes.capacity = Bytes{asked.replayed.ledger.result.allocated_bytes.all.peak - 1};
    const WhatIf failed = asked(changes);
    REQUIRE(failed.ledger.failure);
    CHECK(failed.ledger.failure->kind == Failure::Kind::kOutOfMemory);
    CHECK(asked.snapshot.events.at(failed.ledger.failure->op).action ==
          SnapshotEvent::Action::kAlloc);
    CHECK(failed.ledger.failure->message.find("CUDA out of memory") == 0);
    CHECK(failed.ledger.result.num_alloc_retries > 0);
}

TEST_CASE("frees that wait for no other stream complete at once", "[what_if]") {
    Snapshot snapshot;
    using histories::Action;
    constexpr Bytes kSize{std::uint64_t{40} << 20U};
    snapshot.segments = {histories::free_segment(0x10000000, kSize),
                         histories::free_segment(0x20000000, kSize)};
    const auto add = [&snapshot](Action action, std::uint64_t address) {
        snapshot.events.push_back(histories::event(action, address, kSize));
    };
    add(Action::kSegmentAlloc, 0x10000000);
    add(Action::kAlloc, 0x10000000);
    add(Action::kFreeRequested, 0x10000000);
    add(Action::kSegmentAlloc, 0x20000000);
    add(Action::kAlloc, 0x20000000);
    add(Action::kFreeCompleted, 0x10000000);
    histories::add_free(snapshot.events, 0x20000000, kSize);
    const Replay replayed = replay(snapshot);
    REQUIRE(!replayed.departure);
    Changes changes;
    changes.drop_record_stream = true;
    const WhatIf dropped = what_if(snapshot, replayed, changes);
    CHECK(dropped.ledger.result.reserved_bytes.all.peak == kSize.count);
    CHECK(dropped.parts_at == std::size_t{3});
}

TEST_CASE("blocks that served nothing, as no real file has them, do no harm", "[what_if]") {
    Snapshot snapshot;
    snapshot.segments = {histories::free_segment(0x10000000, Bytes{std::uint64_t{20} << 20U})};
    histories::add_free(snapshot.events, 0x10000000, Bytes{0});
    const WhatIf result =
        what_if(snapshot, replay(snapshot), with_conf("expandable_segments:True"));
    CHECK(result.ledger.result.reserved_bytes.all.current == 0);
}

TEST_CASE("changes that make no sense for a history are refused", "[what_if]") {
    using Catch::Matchers::ContainsSubstring;
    const Asked asked("serve");
    Changes changes;
    changes.capture_order = SizeOrder::kAscending;
    CHECK_THROWS_WITH(asked(changes), ContainsSubstring("shows 0 captures"));
    CHECK_THROWS_WITH(asked(with_conf("nonsense:1")), ContainsSubstring("--conf"));
    CHECK_THROWS_WITH(asked(with_conf("backend:cudaMallocAsync")),
                      ContainsSubstring("keeps no memory history"));
    CHECK_THROWS_WITH(asked(with_conf("per_process_memory_fraction:0.5")),
                      ContainsSubstring("--capacity"));
    changes = {};
    changes.map_streams = "side=one";
    CHECK_THROWS_WITH(asked(changes), ContainsSubstring("there are no side streams"));
    changes.map_streams = "s9=default";
    CHECK_THROWS_WITH(asked(changes), ContainsSubstring("there is no stream `s9`"));
    changes = with_conf("large_segment_size_mb:40");
    changes.profile = "torch-2.10";
    CHECK_THROWS_WITH(asked(changes), ContainsSubstring("does not know large_segment_size_mb"));
    for (const char* const release : {"torch-2.0", "torch-2.16", "torch-2.", "torch-2.9x", "2.9"}) {
        changes.profile = release;
        CHECK_THROWS_WITH(asked(changes), ContainsSubstring("torch-2.1 to torch-2.15"));
    }
}

TEST_CASE("a release tells how it differs from what is simulated", "[what_if][profile]") {
    CHECK(profile_notices("").empty());
    CHECK(profile_notices("torch-2.11").empty());
    for (const unsigned minor : {1U, 8U, 10U, 12U, 15U}) {
        const std::string release = "torch-2." + std::to_string(minor);
        const std::vector<std::string> notices = profile_notices(release);
        CHECK(!notices.empty());
        for (const std::string& notice : notices) {
            CHECK(notice.find(release + ": ") == 0);
        }
    }
    // Nobody is told of 2.12 what only 2.15 does.
    CHECK(profile_notices("torch-2.12").size() < profile_notices("torch-2.15").size());
    Changes changes;
    changes.profile = "torch-2.15";
    const Snapshot snapshot = histories::read("serve");
    const WhatIf result = what_if(snapshot, replay(snapshot), changes);
    CHECK(result.notices.back() == profile_notices("torch-2.15").back());
}

}  // namespace highwater
