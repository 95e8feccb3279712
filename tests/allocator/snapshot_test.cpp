#include "sim/allocator/snapshot.hpp"

#include "sim/allocator/recorded_memory.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

TEST_CASE("a snapshot lists segments and blocks by address, with their states", "[snapshot]") {
    Process process;
    process.events.idle = false;
    const BlockId waiting = process.malloc(5_MiB);
    process.malloc(2_MiB + 5_B);
    process.malloc(1_KiB, process.side);
    process.record_stream(waiting, process.side);
    process.free(waiting);
    const std::vector<SegmentInfo> segments = process.allocator.snapshot();
    REQUIRE(segments.size() == 2);
    CHECK(segments[0].kind == PoolKind::kLarge);
    REQUIRE(segments[0].blocks.size() == 3);
    CHECK(segments[0].blocks[0].state == BlockState::kActivePendingFree);
    CHECK(segments[0].blocks[1].state == BlockState::kActiveAllocated);
    CHECK(segments[0].blocks[1].requested == 2_MiB + 5_B);
    CHECK(segments[0].blocks[2].state == BlockState::kInactive);
    CHECK(segments[1].stream == process.side);
}

TEST_CASE("a remainder remembers what its block served last", "[snapshot]") {
    Process process;
    process.free(process.malloc(12_MiB));
    process.malloc(2_MiB);
    CHECK(process.allocator.snapshot()[0].blocks[1].requested == 12_MiB);
}

TEST_CASE("what a snapshot shows can be taken over by another allocator", "[snapshot][adopt]") {
    const auto* conf = GENERATE("", "expandable_segments:True");
    Process process(conf);
    process.malloc(5_MiB);
    const BlockId freed = process.malloc(5_MiB);
    process.malloc(5_MiB);
    process.free(process.malloc(700_B, process.side));
    process.free(freed);
    const std::vector<SegmentInfo> segments = process.allocator.snapshot();

    Process heir(conf);
    heir.allocator.adopt(segments);
    heir.audit();
    CHECK(heir.allocator.snapshot() == segments);
    MemoryStats expected = process.stats();
    for (const NamedStatByPool& stat : kStatsByPool) {
        for (Stat* each : {&(expected.*stat.value).all,
                           &(expected.*stat.value).small_pool,
                           &(expected.*stat.value).large_pool}) {
            *each = {each->current, each->current, 0, 0};
        }
    }
    expected.num_device_alloc = 0;
    CHECK(heir.stats() == expected);
    CHECK(heir.address(heir.malloc(5_MiB)) == segments[0].blocks[1].address);
}

TEST_CASE("ascending memory hands out each address once and counts what is left", "[memory]") {
    AscendingMemory memory(10_MiB);
    const auto first = memory.allocate(3_MiB);
    const auto second = memory.allocate(3_MiB);
    REQUIRE((first && second));
    CHECK(*second >= *first + 3_MiB);
    CHECK(second->value % (2_MiB).count == 0);
    CHECK_FALSE(memory.allocate(5_MiB));
    memory.free(*first, 3_MiB);
    const auto third = memory.allocate(5_MiB);
    REQUIRE(third);
    CHECK(*third > *second);
    CHECK(memory.free_bytes() == 2_MiB);
    CHECK(memory.map(*memory.reserve(100_MiB), 2_MiB));
    CHECK_FALSE(memory.map(*memory.reserve(100_MiB), 1_B));
    CHECK_FALSE(memory.reserve(Bytes{std::uint64_t{1} << 62U}));
}

TEST_CASE("recorded memory hands out the addresses of the recording, then others", "[memory]") {
    using Kind = TraceEvent::Kind;
    RecordedMemory memory({{Kind::kAlloc, {}, Address{1}, 1_B, {}},
                           {Kind::kSegmentAlloc, {}, Address{0x1000}, 2_MiB, {}},
                           {Kind::kSegmentMap, {}, Address{0x2000}, 2_MiB, {}},
                           {Kind::kSegmentAlloc, {}, Address{0x3000}, 2_MiB, {}}});
    CHECK(memory.allocate(2_MiB) == Address{0x1000});
    CHECK(memory.reserve(100_MiB) == Address{0x2000});
    CHECK(memory.map(Address{0x2000}, 2_MiB));
    CHECK(memory.allocate(2_MiB) == Address{0x3000});
    CHECK(memory.allocate(2_MiB) > Address{0x3000});
    CHECK(memory.allocate(2_MiB) != memory.allocate(2_MiB));
}

}  // namespace highwater
