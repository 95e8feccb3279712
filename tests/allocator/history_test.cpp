// What the replay of a history needs of the rules beside what programs do.
#include "sim/allocator/audit.hpp"
#include "sim/allocator/events.hpp"
#include "sim/allocator/expandable.hpp"
#include "sim/allocator/malloc.hpp"
#include "sim/allocator/release.hpp"
#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/stranded.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

namespace {

// An allocator's state by itself, with one side stream.
struct Rules {
    explicit Rules(const std::string& conf = "")
        : state(parse_settings(conf), 1_GiB, {memory, process.events, process.captures}) {
        state.streams.resize(2);
        state.streams[1].handle = StreamHandle{16};
    }
    Allocated malloc(Bytes size, PoolId pool = kDefaultPoolId) {
        return std::get<Allocated>(allocator::malloc_in_pool(state, size, side, pool));
    }

    Process process;
    AscendingMemory memory{1_GiB};
    allocator::State state;
    StreamId side{1};
};

SegmentInfo mapped_range(std::uint64_t address, Bytes size) {
    return {.address = {address},
            .size = size,
            .stream = StreamId{1},
            .kind = PoolKind::kLarge,
            .pool = kDefaultPoolId,
            .is_expandable = true,
            .blocks = {{{address}, size, kUnknownRequest, BlockState::kInactive}}};
}

}  // namespace

TEST_CASE("a request in a named pool is served there, whatever is free elsewhere", "[history]") {
    Rules rules;
    const PoolId pool{0, 3};
    allocator::free(rules.state, rules.malloc(5_MiB).block);
    const Address elsewhere = rules.malloc(5_MiB, pool).address;
    const Address here = rules.malloc(5_MiB).address;
    CHECK(elsewhere != here);
    const auto segments = allocator::snapshot(rules.state);
    REQUIRE(segments.size() == 2);
    CHECK(segments[1].pool == pool);
    CHECK(segments[1].address == elsewhere);
}

TEST_CASE("a free that waits is pending until it is completed", "[history]") {
    Rules rules;
    const BlockId block = rules.malloc(5_MiB).block;
    allocator::free_later(rules.state, block);
    CHECK(rules.state.counters.stats().active_bytes.all.current == (5_MiB).count);
    CHECK(rules.state.counters.stats().allocated_bytes.all.current == 0);
    const Address behind = rules.malloc(5_MiB).address;
    CHECK(allocator::audit(rules.state).empty());
    CHECK(allocator::not_allocated(rules.state, kDefaultPoolId, rules.side) == 15_MiB);
    allocator::complete_free(rules.state, block);
    CHECK(allocator::audit(rules.state).empty());
    CHECK(rules.state.counters.stats().active_bytes.all.current == (5_MiB).count);
    CHECK(rules.malloc(5_MiB).address < behind);
}

TEST_CASE("emptying the cache waits for frees that wait", "[history]") {
    Rules rules;
    allocator::free_later(rules.state, rules.malloc(5_MiB).block);
    allocator::release_cached_blocks(rules.state);
    CHECK(rules.state.parked.empty());
    CHECK(allocator::audit(rules.state).empty());
    CHECK(rules.state.counters.stats().reserved_bytes.all.current == 0);
}

TEST_CASE("what would be given back is known before", "[history]") {
    const auto* conf = GENERATE("", "expandable_segments:True");
    Rules rules(conf);
    const Allocated kept = rules.malloc(15_MiB);
    const Allocated freed = rules.malloc(44_MiB);
    allocator::free(rules.state, freed.block);
    const std::vector<Address> releasable =
        allocator::releasable(rules.state, allocator::kDefaultLargePool);
    REQUIRE(releasable.size() == 1);
    CHECK(releasable[0] > kept.address);
    const Bytes before = rules.state.total_allocated;
    allocator::release_cached_blocks(rules.state);
    CHECK(rules.state.total_allocated < before);
    CHECK(allocator::releasable(rules.state, allocator::kDefaultLargePool).empty());
}

TEST_CASE("expandable ranges of one pool and stream are taken over as one reservation",
          "[history][adopt]") {
    Rules rules("expandable_segments:True");
    constexpr std::uint64_t kBase = 0x10'0000'0000;
    constexpr std::uint64_t kPage = (20_MiB).count;
    const std::vector<SegmentInfo> ranges{mapped_range(kBase + kPage, 20_MiB),
                                          mapped_range(kBase + 4 * kPage, 20_MiB)};
    allocator::adopt(rules.state, ranges, {Address{kBase}});
    CHECK(rules.state.reservations.size() == 1);
    CHECK(allocator::snapshot(rules.state) == ranges);
    // The first run that offers 60 MiB begins with what is free in the first page's place.
    CHECK(rules.malloc(60_MiB).address == Address{kBase});
}

}  // namespace highwater
