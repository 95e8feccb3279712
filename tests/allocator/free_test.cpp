// Allocator specification 7: free, record_stream and events.
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

TEST_CASE("a freed block merges with its free neighbours and no others", "[free][merge]") {
    Process process;
    const BlockId a = process.malloc(4_MiB);
    const BlockId b = process.malloc(4_MiB);
    const BlockId c = process.malloc(4_MiB);
    const BlockId d = process.malloc(8_MiB);
    process.free(b);
    CHECK(process.free_sizes() == std::vector<Bytes>{4_MiB});
    process.free(d);
    CHECK(process.free_sizes() == std::vector<Bytes>{4_MiB, 8_MiB});
    process.free(c);
    CHECK(process.free_sizes() == std::vector<Bytes>{16_MiB});
    process.free(a);
    CHECK(process.free_sizes() == std::vector<Bytes>{20_MiB});
}

TEST_CASE("a free tells what was requested, and where, before it merges", "[free][trace]") {
    Process process;
    process.malloc(700_B);
    const BlockId block = process.malloc(1000_B);
    const Address address = process.address(block);
    process.log.events.clear();
    process.free(block);
    CHECK(process.log.letters() == "qc");
    for (const TraceEvent& event : process.log.events) {
        CHECK(event.address == address);
        CHECK(event.size == 1000_B);
    }
}

TEST_CASE("record_stream on the block's own stream protects nothing", "[record_stream]") {
    Process process;
    process.events.idle = false;
    const BlockId block = process.malloc(8_MiB, process.side);
    process.record_stream(block, process.side);
    process.free(block);
    CHECK(process.events.recorded() == 0);
    CHECK(process.stats().active.all.current == 0);
}

TEST_CASE("a recorded block is reusable at the first malloc after its events, not before",
          "[record_stream]") {
    Process process;
    process.events.idle = false;
    const BlockId block = process.malloc(12_MiB);
    const Address address = process.address(block);
    process.record_stream(block, process.side);
    process.record_stream(block, process.other);
    process.free(block);
    CHECK(process.events.recorded() == 2);
    CHECK(process.stats().allocation.all.current == 0);
    CHECK(process.stats().active.all.current == 1);
    CHECK(process.stats().requested_bytes.all.current == (12_MiB).count);
    CHECK(process.address(process.malloc(12_MiB)) != address);
    process.events.complete_all();
    CHECK(process.stats().active.all.current == 2);
    CHECK(process.address(process.malloc(12_MiB)) == address);
}

TEST_CASE("recording a stream twice records one event", "[record_stream]") {
    Process process;
    const BlockId block = process.malloc(12_MiB);
    process.record_stream(block, process.side);
    process.record_stream(block, process.side);
    process.free(block);
    CHECK(process.events.recorded() == 1);
}

TEST_CASE("even a complete event holds the block until the next malloc", "[record_stream]") {
    Process process;
    const BlockId block = process.malloc(12_MiB);
    process.record_stream(block, process.side);
    process.free(block);
    CHECK(process.stats().active.all.current == 1);
    process.malloc(1_B);
    CHECK(process.stats().active.all.current == 1);
    CHECK(process.stats().active.large_pool.current == 0);
}

TEST_CASE("an event behind one that has not completed is not looked at", "[record_stream]") {
    Process process;
    process.events.idle = false;
    const BlockId first = process.malloc(12_MiB);
    const BlockId second = process.malloc(14_MiB);
    process.record_stream(first, process.side);
    process.record_stream(second, process.side);
    process.free(first);
    process.free(second);
    process.events.synchronize(EventId{1});
    process.malloc(1_B);
    CHECK(process.stats().active.large_pool.current == 2);
    process.events.synchronize(EventId{0});
    process.malloc(1_B);
    CHECK(process.stats().active.large_pool.current == 0);
}

TEST_CASE("a block waiting for events does not merge", "[record_stream][merge]") {
    Process process;
    process.events.idle = false;
    const BlockId a = process.malloc(4_MiB);
    const BlockId b = process.malloc(16_MiB);
    process.record_stream(a, process.side);
    process.free(a);
    process.free(b);
    CHECK(process.free_sizes() == std::vector<Bytes>{16_MiB});
    process.events.complete_all();
    process.malloc(1_B);
    CHECK(process.stats().inactive_split.large_pool.current == 0);
}

TEST_CASE("peaks of active blocks count those that wait", "[record_stream][counters]") {
    Process process;
    process.events.idle = false;
    const BlockId first = process.malloc(12_MiB);
    process.record_stream(first, process.side);
    process.free(first);
    process.malloc(14_MiB);
    const MemoryStats stats = process.stats();
    CHECK(stats.active.all == Stat{2, 2, 2, 0});
    CHECK(stats.active_bytes.all == Stat{(26_MiB).count, (26_MiB).count, (26_MiB).count, 0});
    CHECK(stats.allocated_bytes.all.peak == (14_MiB).count);
    process.allocator.reset_peaks();
    process.events.complete_all();
    process.malloc(1_B);
    CHECK(process.stats().active_bytes.large_pool.peak == (26_MiB).count);
    CHECK(process.stats().active_bytes.large_pool.current == (14_MiB).count);
    CHECK(process.stats().active_bytes.large_pool.freed == (12_MiB).count);
}

TEST_CASE("resetting the accumulated statistics keeps what is current", "[counters]") {
    Process process;
    process.events.idle = false;
    const BlockId block = process.malloc(12_MiB);
    process.malloc(12_MiB);
    process.record_stream(block, process.side);
    process.free(block);
    process.allocator.reset_accumulated();
    CHECK(process.stats().active.all == Stat{2, 2, 0, 0});
    CHECK(process.stats().num_device_alloc == 0);
    process.empty_cache();
    CHECK(process.stats().active.all == Stat{1, 2, 0, 1});
    CHECK(process.stats().num_device_free == 1);
}

}  // namespace highwater
