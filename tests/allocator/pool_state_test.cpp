// Around-allocator specification 5: a pool is set back to what it held after an earlier recording.
#include "sim/allocator/pool_state.hpp"

#include "sim/allocator/predicted_error.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr PoolId kPool{0, 1};

// A recording into the pool: allocates, and keeps what it gives back.
BlockId recorded(Process& process, Bytes size) {
    process.begin_capture(kPool, {process.side});
    const BlockId block = process.malloc(size, process.side);
    process.end_capture(kPool);
    return block;
}

}  // namespace

TEST_CASE("after a pool is set back, what was allocated then is, and what came since is free",
          "[pool_state]") {
    Process process;
    const Address a = process.address(recorded(process, 4_MiB));
    const PoolState after_a = process.allocator.save_pool(kPool);
    const Address b = process.address(recorded(process, 4_MiB));
    const auto live = process.allocator.restore_pool(after_a);
    process.audit();
    REQUIRE(live.size() == 1);
    CHECK(live.begin()->first == a);
    CHECK(process.allocator.block(live.at(a)).size == 4_MiB);
    // The next recording may have b's memory, and not a's.
    CHECK(process.address(recorded(process, 4_MiB)) == b);
}

TEST_CASE("a segment that came since stays, free", "[pool_state]") {
    Process process;
    recorded(process, 12_MiB);
    const PoolState before = process.allocator.save_pool(kPool);
    recorded(process, 30_MiB);
    process.allocator.restore_pool(before);
    process.audit();
    CHECK(process.reserved() == (42_MiB).count);
    CHECK(process.stats().allocated_bytes.all.current == (12_MiB).count);
}

TEST_CASE("setting back counts as frees and allocations, of whole blocks", "[pool_state]") {
    Process process;
    const BlockId block = recorded(process, 3_MiB + 5_B);
    const Bytes whole = process.allocator.block(block).size;
    const PoolState saved = process.allocator.save_pool(kPool);
    const MemoryStats before = process.stats();
    process.allocator.restore_pool(saved);
    const MemoryStats after = process.stats();
    CHECK(after.allocation.all.current == before.allocation.all.current);
    // The block itself, and the free rest of its segment, which is laid out too.
    CHECK(after.allocation.all.allocated == before.allocation.all.allocated + 2);
    CHECK(after.requested_bytes.all.current == whole.count);
}

TEST_CASE("blocks are laid out whatever the split limits have become", "[pool_state]") {
    Process process;
    process.begin_capture(kPool, {process.side});
    const BlockId first = process.malloc(24_MiB, process.side);
    process.free(first);
    const BlockId part = process.malloc(22_MiB, process.side);
    process.end_capture(kPool);
    const Address at = process.address(part);
    const PoolState saved = process.allocator.save_pool(kPool);
    process.allocator.apply_settings("max_split_size_mb:20");
    const auto live = process.allocator.restore_pool(saved);
    CHECK(process.allocator.block(live.at(at)).size == 22_MiB);
    CHECK(process.free_sizes() == std::vector<Bytes>{2_MiB});
}

TEST_CASE("the state of a pool is not noted while a block of it waits for events", "[pool_state]") {
    Process process;
    process.events.idle = false;
    const BlockId block = recorded(process, 4_MiB);
    process.record_stream(block, process.other);
    process.free(block);
    CHECK_THROWS_AS(process.allocator.save_pool(kPool), PredictedError);
}

TEST_CASE("a pool whose segment is gone cannot be set back", "[pool_state]") {
    Process process;
    const BlockId block = recorded(process, 12_MiB);
    const PoolState saved = process.allocator.save_pool(kPool);
    process.free(block);
    process.allocator.give_up_pool(kPool);
    process.empty_cache();
    CHECK_THROWS_AS(process.allocator.restore_pool(saved), PredictedError);
}

}  // namespace highwater
