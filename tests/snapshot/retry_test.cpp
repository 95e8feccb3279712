// Allocations that were tried again after the cache was emptied for them.
#include <vector>

#include "sim/snapshot/replay.hpp"
#include "tests/snapshot/histories.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using histories::Action;
using histories::event;
using literals::operator""_MiB;

constexpr std::uint64_t kMain = 0x10000000000;
constexpr std::uint64_t kSide = 0x10002000000;
constexpr std::uint64_t kNew = 0x10004000000;
constexpr std::uint64_t kSideStream = 0x7000;

SnapshotSegment segment(std::uint64_t address, const std::vector<SnapshotBlock>& blocks) {
    SnapshotSegment made = histories::free_segment(address, 0_MiB);
    made.blocks = blocks;
    for (const SnapshotBlock& block : blocks) {
        made.size += block.size;
    }
    return made;
}

// Half of 24 MiB waits for the side stream, the other half is held, and the side stream has 20 MiB
// cached. A request of 12 MiB finds no block and no room: all frees are waited for, what the side
// stream cached goes back, and new memory serves, for the pool is not searched again.
Snapshot missed_half() {
    Snapshot made;
    const auto add = [&made](Action action, std::uint64_t address, Bytes size) {
        made.events.push_back(event(action, address, size, address == kSide ? kSideStream : 0));
    };
    add(Action::kSegmentAlloc, kMain, 24_MiB);
    add(Action::kAlloc, kMain, 24_MiB);
    histories::add_free(made.events, kMain, 24_MiB);
    add(Action::kAlloc, kMain, 12_MiB);
    add(Action::kAlloc, kMain + (12_MiB).count, 12_MiB);
    add(Action::kSegmentAlloc, kSide, 20_MiB);
    add(Action::kAlloc, kSide, 20_MiB);
    histories::add_free(made.events, kSide, 20_MiB, kSideStream);
    add(Action::kFreeRequested, kMain, 12_MiB);
    add(Action::kFreeCompleted, kMain, 12_MiB);
    add(Action::kSegmentFree, kSide, 20_MiB);
    add(Action::kSegmentAlloc, kNew, 12_MiB);
    add(Action::kAlloc, kNew, 12_MiB);
    const BlockState held = BlockState::kActiveAllocated;
    made.segments = {segment(kMain,
                             {{{kMain}, 12_MiB, kUnknownRequest, BlockState::kInactive},
                              {{kMain + (12_MiB).count}, 12_MiB, 12_MiB, held}}),
                     segment(kNew, {{{kNew}, 12_MiB, 12_MiB, held}})};
    return made;
}

TEST_CASE("a block that came back as an allocation was tried again is not searched for",
          "[replay]") {
    const Snapshot snapshot = missed_half();
    const Replay result = replay(snapshot);
    CHECK(!result.departure);
    CHECK(result.ledger.result.num_alloc_retries == 1);
    CHECK(result.ledger.result.num_sync_all_streams == 1);
    // It was the allocator that emptied the cache, not the program.
    bool is_emptied_by_program = false;
    for (const Request request : result.recorded.requests) {
        is_emptied_by_program |= request.kind == Request::Kind::kEmptyCache;
    }
    CHECK(!is_emptied_by_program);
}

TEST_CASE("new memory beside a block that fits is a departure unless the cache was emptied for it",
          "[replay]") {
    Snapshot snapshot = missed_half();
    EventList kept;
    for (const SnapshotEvent& each : snapshot.events) {
        if (each.action != Action::kSegmentFree) {
            kept.push_back(each);
        }
    }
    snapshot.events = kept;
    snapshot.segments.insert(snapshot.segments.begin() + 1,
                             histories::free_segment(kSide, 20_MiB, kSideStream));
    const Replay result = replay(snapshot);
    REQUIRE(result.departure);
    CHECK(snapshot.events[result.departure->event].address == Address{kNew});
}

}  // namespace
}  // namespace highwater
