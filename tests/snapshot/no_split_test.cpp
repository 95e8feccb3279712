#include "sim/snapshot/no_split.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/allocator/ascending_memory.hpp"
#include "sim/snapshot/simulated_history.hpp"
#include "sim/snapshot/snapshot_of.hpp"
#include "sim/snapshot/what_if.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/event_log.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr PoolId kPool{0, 5};

// A program with one pool beside the default one.
class PoolProgram {
  public:
    explicit PoolProgram(bool no_split, const std::string& conf = "")
        : settings_(parse_settings(conf)),
          simulated_(settings_, kHistoryMemory, memory_, handles_) {
        if (no_split) {
            simulated_.forbid_splits({kPool});
        }
        simulated_.state().trace = &log_;
    }

    AllocationId alloc(Bytes size, PoolId pool = kPool) {
        const AllocationId id{next_++};
        simulated_.alloc(id, size, kDefaultStream, pool);
        return id;
    }
    void free(AllocationId id) { simulated_.free(id, false); }

    // As PyTorch 2.11 writes it: events without their pools. The first ones may be lost.
    Snapshot written(std::size_t lost = 0) const {
        const std::vector<SegmentInfo> segments = allocator::snapshot(simulated_.state());
        const Snapshot whole =
            snapshot_of({segments, log_.events, {}, settings_, handles_}, "pools");
        Snapshot snapshot = whole;
        snapshot.events = {};
        for (std::size_t i = lost; i < whole.events.size(); ++i) {
            SnapshotEvent event = whole.events[i];
            event.pool.reset();
            snapshot.events.push_back(event);
        }
        return snapshot;
    }

  private:
    AllocatorSettings settings_;
    AscendingMemory memory_{kHistoryMemory};
    std::vector<StreamHandle> handles_{StreamHandle{0}};
    SimulatedHistory simulated_;
    EventLog log_;
    std::uint32_t next_ = 0;
};

void use(PoolProgram& program) {
    const AllocationId first = program.alloc(3_MiB);
    program.alloc(100_B);
    program.alloc(100_B, kDefaultPoolId);
    program.free(first);
    program.alloc(5_MiB);
    program.free(program.alloc(4_MiB));
    program.alloc(6_MiB);
    program.alloc(100_B);
    program.alloc(200_B, kDefaultPoolId);
}

std::string departure_of(const Replay& replay) {
    return replay.departure ? replay.departure->reason : "exact";
}

bool notes(const std::vector<std::string>& notices, const std::string& text) {
    return std::ranges::any_of(
        notices, [&](const std::string& each) { return each.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a pool that does not split is found by what the rules make of the others",
          "[no_split]") {
    const std::string conf = GENERATE("", "expandable_segments:True", "roundup_power2_divisions:4");
    INFO(conf);
    PoolProgram program(true, conf);
    use(program);
    const Replay found = replay(program.written());
    CHECK(departure_of(found) == "exact");
    CHECK(found.recorded.no_split == std::vector{kPool});
    CHECK(notes(found.notices, "(0, 5) do not split"));
}

TEST_CASE("it is found without the first events too", "[no_split]") {
    PoolProgram program(true);
    use(program);
    const std::size_t all = program.written().events.size();
    for (std::size_t lost = 1; lost < all; ++lost) {
        INFO(lost);
        CHECK(departure_of(replay(program.written(lost))) == "exact");
    }
}

TEST_CASE("a pool that splits is none of them", "[no_split]") {
    PoolProgram program(false);
    use(program);
    const Replay found = replay(program.written());
    CHECK(departure_of(found) == "exact");
    CHECK(found.recorded.no_split.empty());
    CHECK_FALSE(notes(found.notices, "no_split"));
}

TEST_CASE("a pool that was never asked for what it had left may be either", "[no_split]") {
    const bool no_split = GENERATE(false, true);
    PoolProgram program(no_split);
    program.free(program.alloc(3_MiB));
    program.free(program.alloc(5_MiB));
    const Replay found = replay(program.written());
    CHECK(departure_of(found) == "exact");
    CHECK(found.recorded.no_split.empty());
    CHECK(notes(found.notices, "(0, 5) are taken to split their blocks"));
}

TEST_CASE("what-ifs do not split what was not split", "[no_split][what_if]") {
    PoolProgram program(true);
    use(program);
    const Snapshot snapshot = program.written();
    const Replay found = replay(snapshot);
    Changes changes;
    CHECK_FALSE(what_if(snapshot, found, changes).parts_at);
    changes.conf = "large_segment_size_mb:40";
    const WhatIf larger = what_if(snapshot, found, changes);
    // Each of two large blocks, and each of two small ones, has a segment.
    Bytes of_pool;
    for (const SegmentInfo& segment : larger.ledger.segments) {
        CHECK(segment.blocks.size() == (segment.pool == kPool ? 1 : segment.blocks.size()));
        of_pool += segment.pool == kPool ? segment.size : 0_B;
    }
    CHECK(of_pool == 40_MiB * 2 + 2_MiB * 2);
}

}  // namespace highwater
