// PyTorch over the driver's pool (around-allocator specification 8.1).
#include "sim/allocator/predicted_error.hpp"
#include "tests/allocator/async/support.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamId kSide = AsyncProcess::kSide;
constexpr StreamId kOther = AsyncProcess::kOther;
constexpr StreamId kUnifying = AsyncProcess::kUnifying;
constexpr CaptureId kGraph{1};
constexpr CaptureId kSecond{2};

}  // namespace

TEST_CASE("only allocated, active and reserved bytes of all pools are reported", "[async]") {
    AsyncProcess p;
    const Allocated block = p.malloc(3_MiB);
    p.malloc(100_B);
    p.free(block);
    MemoryStats expected;
    expected.allocated_bytes.all = {.current = 100, .peak = (3_MiB + 100_B).count};
    expected.active_bytes = expected.allocated_bytes;
    expected.reserved_bytes.all = {.current = (32_MiB).count, .peak = (32_MiB).count};
    CHECK(p.allocator.stats() == expected);
    p.allocator.reset_peaks();
    CHECK(p.allocator.stats().allocated_bytes.all.peak == 100);
}

TEST_CASE("a request of 0 bytes touches nothing", "[async]") {
    AsyncProcess p;
    CHECK(std::holds_alternative<NullPointer>(p.allocator.malloc(0_B, kDefaultStream)));
    CHECK(p.reserved() == 0);
}

TEST_CASE("a synchronisation gives nothing back, empty_cache free pages", "[async]") {
    AsyncProcess p;
    p.malloc(1_MiB);
    p.free(p.malloc(64_MiB));
    p.synchronize();
    CHECK(p.reserved() == (96_MiB).count);
    p.allocator.empty_cache();
    CHECK(p.reserved() == (32_MiB).count);
}

TEST_CASE("memory used on other streams is free behind all of them", "[async]") {
    AsyncProcess p(40_MiB);
    p.order.is_idle = false;
    const Allocated block = p.malloc(32_MiB);
    p.allocator.record_stream(block.block, kSide);
    p.allocator.record_stream(block.block, kOther);
    const EventId side = p.order.record(kSide);
    const EventId other = p.order.record(kOther);
    p.free(block);
    CHECK(p.order.is_behind(kUnifying, side));
    CHECK(p.order.is_behind(kUnifying, other));
    // The block's own stream is not behind the free: on a full card it is made to wait.
    CHECK(p.malloc(32_MiB).address == block.address);
    CHECK(p.order.is_behind(kDefaultStream, other));
}

TEST_CASE("recording the stream of creation changes nothing", "[async]") {
    AsyncProcess p;
    const Allocated block = p.malloc(32_MiB, kSide);
    p.allocator.record_stream(block.block, kSide);
    p.free(block);
    CHECK(p.order.waits() == 0);
}

TEST_CASE("the memory fraction limits the bytes asked for, not those reserved", "[async]") {
    AsyncProcess p(1_GiB);
    p.allocator.set_memory_fraction(0.5);
    const Allocated half = p.malloc(512_MiB);
    CHECK(p.runs_out(1_B));
    p.free(half);
    // 512 MiB are reserved; 32 more go beyond the half.
    p.malloc(480_MiB);
    CHECK_FALSE(p.runs_out(32_MiB));
    CHECK(p.runs_out(1_B));
}

TEST_CASE("out of memory names the request and the card", "[async]") {
    AsyncProcess p(72_MiB);
    p.malloc(10_MiB);
    const MallocResult result = p.allocator.malloc(60_MiB, kDefaultStream);
    REQUIRE(std::holds_alternative<OutOfMemory>(result));
    const auto& error = std::get<OutOfMemory>(result);
    CHECK(error.requested == 60_MiB);
    CHECK(error.device_free == 8_MiB);
    CHECK(error.device_total == 72_MiB);
    CHECK(error.allocated == 10_MiB);
    CHECK(error.reserved == 64_MiB);
    CHECK_FALSE(error.limit);
}

TEST_CASE("a request that no device could serve is out of memory", "[async]") {
    const Bytes size = GENERATE(Bytes{UINT64_MAX}, Bytes{1ULL << 63U}, Bytes{1ULL << 61U}, 1_GiB);
    AsyncProcess p(1_GiB - 1_MiB);
    CHECK(p.runs_out(size));
    p.begin_capture(kGraph, kSide);
    CHECK(p.runs_out(size, kSide) == (size > 1_GiB));
}

TEST_CASE("PyTorch 2.11 does not trim the pool and try again", "[async]") {
    AsyncProcess p(10_GiB);
    const Allocated large = p.malloc(6_GiB);
    p.malloc(1_MiB);
    p.free(large);
    CHECK(p.runs_out(7_GiB));
    p.allocator.empty_cache();
    CHECK_FALSE(p.runs_out(7_GiB));
}

TEST_CASE("graphs' memory is in no statistic", "[async]") {
    AsyncProcess p;
    for (const CaptureId graph : {kGraph, kSecond}) {
        p.begin_capture(graph, kSide);
        p.malloc(1_GiB, kSide);
        p.end_capture(kSide);
        REQUIRE_FALSE(p.allocator.launch(graph, kSide));
        p.allocator.launched(graph, kSide);
    }
    CHECK(p.allocator.stats() == MemoryStats{});
    CHECK(p.allocator.graph_memory().reserved().current == 2_GiB);
    CHECK(p.memory.free_bytes() == AsyncProcess::kCard - 2_GiB);
}

TEST_CASE("a launch may run out of memory with the statistics unchanged", "[async]") {
    AsyncProcess p(1_GiB);
    p.malloc(992_MiB);
    p.begin_capture(kGraph, kSide);
    const Allocated workspace = p.malloc(33_MiB, kSide);
    p.free(workspace);
    p.end_capture(kSide);
    const MemoryStats before = p.allocator.stats();
    const auto error = p.allocator.launch(kGraph, kSide);
    REQUIRE(error);
    CHECK(error->requested == 64_MiB);
    CHECK(error->device_free == 32_MiB);
    CHECK(p.allocator.stats() == before);
}

TEST_CASE("one capture at a time", "[async]") {
    AsyncProcess p;
    p.begin_capture(kGraph, kSide);
    CHECK_THROWS_AS(p.allocator.begin_capture(PoolId{2, 0}, kSecond), PredictedError);
    p.end_capture(kSide);
    CHECK_NOTHROW(p.begin_capture(kSecond, kSide));
}

TEST_CASE("what was allocated before a capture is freed after it", "[async]") {
    AsyncProcess p;
    const Allocated before = p.malloc(8_MiB);
    p.begin_capture(kGraph, kSide);
    p.free(before);
    CHECK(p.allocated() == (8_MiB).count);
    const Allocated meanwhile = p.malloc(8_MiB);
    CHECK(meanwhile.address != before.address);
    p.free(meanwhile);
    CHECK(p.allocated() == (8_MiB).count);
    p.end_capture(kSide);
    CHECK(p.allocated() == 0);
}

TEST_CASE("streams that are not captured allocate from the pool during a capture", "[async]") {
    AsyncProcess p;
    p.begin_capture(kGraph, kSide);
    p.malloc(8_MiB);
    CHECK(p.allocated() == (8_MiB).count);
    p.malloc(8_MiB, kSide);
    CHECK(p.allocated() == (8_MiB).count);
}

TEST_CASE("what a capture forbids to streams outside it, it forbids to allocations", "[async]") {
    AsyncProcess p;
    p.begin_capture(kGraph, kSide);
    const Allocated outside = p.malloc(8_MiB);
    const Allocated inside = p.malloc(8_MiB, kSide);
    p.captures.forbids_unsafe_calls = true;
    CHECK_THROWS_AS(p.malloc(8_MiB), PredictedError);
    CHECK_THROWS_AS(p.free(outside), PredictedError);
    CHECK_NOTHROW(p.malloc(8_MiB, kSide));
    CHECK_NOTHROW(p.free(inside));
}

TEST_CASE("the capture stream waits for the streams in which PyTorch freed", "[async]") {
    AsyncProcess p;
    p.begin_capture(kGraph, kSide);
    const Allocated block = p.malloc(8_MiB, kSide);
    p.wait_stream(kOther, kSide);
    p.allocator.record_stream(block.block, kOther);
    p.free(block);
    CHECK(p.captures.capture_of(kUnifying) == kGraph);
    p.wait_stream(kSide, kOther);
    // Without the join the end would throw: the free is unjoined work.
    CHECK_NOTHROW(p.end_capture(kSide));
}

TEST_CASE("a graph's pointer may be freed outside its capture", "[async]") {
    AsyncProcess p;
    p.begin_capture(kGraph, kSide);
    const Allocated output = p.malloc(1_GiB, kSide);
    p.end_capture(kSide);
    REQUIRE_FALSE(p.allocator.launch(kGraph, kSide));
    p.allocator.destroy_graph(kGraph);
    p.free(output);
    CHECK(p.allocator.graph_memory().footprint(kGraph) == 0_B);
    CHECK(p.allocator.graph_memory().reserved().current == 1_GiB);
    CHECK(p.allocator.stats() == MemoryStats{});
}

TEST_CASE("pools of PyTorch's are refused", "[async]") {
    AsyncProcess p;
    CHECK_THROWS_AS(p.allocator.create_pool(PoolId{0, 1}, false, false), PredictedError);
    CHECK_THROWS_AS(p.allocator.begin_use_mem_pool(PoolId{0, 1}), PredictedError);
    CHECK_THROWS_AS(p.allocator.destroy_pool(PoolId{0, 1}), PredictedError);
}

TEST_CASE("settings are read as the native allocator reads them", "[async]") {
    AsyncProcess p;
    CHECK_NOTHROW(p.allocator.apply_settings("max_split_size_mb:100"));
    CHECK_THROWS_AS(p.allocator.apply_settings("backend:native"), SettingsError);
}

}  // namespace highwater
