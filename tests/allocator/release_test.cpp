// Allocator specification 5 and 6: giving memory back, and garbage collection.
#include "sim/allocator/predicted_error.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

TEST_CASE("empty_cache frees whole segments and leaves split ones", "[empty_cache]") {
    Process process;
    const BlockId whole = process.malloc(12_MiB);
    const BlockId piece = process.malloc(4_MiB);
    process.malloc(4_MiB);
    process.free(whole);
    process.free(piece);
    process.empty_cache();
    CHECK(process.reserved() == (20_MiB).count);
    CHECK(process.stats().num_device_free == 1);
    CHECK(process.stats().segment.all == Stat{1, 2, 2, 1});
}

TEST_CASE("empty_cache waits for all events", "[empty_cache]") {
    Process process;
    process.events.idle = false;
    const BlockId block = process.malloc(12_MiB);
    process.record_stream(block, process.side);
    process.free(block);
    process.empty_cache();
    CHECK(process.reserved() == 0);
    CHECK(process.stats().num_sync_all_streams == 1);
}

TEST_CASE("release goes by pool, stream handle, size and address", "[empty_cache][trace]") {
    Process process;
    const std::vector<std::pair<Bytes, StreamId>> made{{12_MiB, process.side},
                                                       {14_MiB, process.other},
                                                       {12_MiB, process.other},
                                                       {1_MiB, process.other},
                                                       {12_MiB, kDefaultStream}};
    std::vector<BlockId> blocks;
    for (const auto& [size, stream] : made) {
        blocks.push_back(process.malloc(size, stream));
    }
    std::ranges::for_each(blocks, [&](BlockId block) { process.free(block); });
    process.log.events.clear();
    process.empty_cache();
    std::vector<std::pair<Bytes, StreamId>> released;
    for (const TraceEvent& event : process.log.events) {
        released.emplace_back(event.size, event.stream);
    }
    CHECK(released == std::vector<std::pair<Bytes, StreamId>>{{12_MiB, kDefaultStream},
                                                              {12_MiB, process.other},
                                                              {14_MiB, process.other},
                                                              {12_MiB, process.side},
                                                              {2_MiB, process.other}});
}

TEST_CASE("of cached oversize blocks one that covers the request is released alone",
          "[max_split_size]") {
    Process process("max_split_size_mb:32", 100_MiB);
    const BlockId covering = process.malloc(62_MiB);
    process.free(process.malloc(32_MiB));
    process.free(covering);
    process.log.events.clear();
    // 62 MiB is too large to be handed out for 40, but frees enough.
    process.malloc(40_MiB);
    CHECK(process.log.letters() == "FSa");
    CHECK(process.log.events[0].size == 62_MiB);
    CHECK(process.stats().num_alloc_retries == 0);
}

TEST_CASE("if none covers it the oversize blocks of its stream go, largest first",
          "[max_split_size]") {
    Process process("max_split_size_mb:32", 128_MiB);
    const BlockId larger = process.malloc(40_MiB);
    const BlockId smaller = process.malloc(36_MiB);
    process.free(process.malloc(40_MiB, process.side));
    SECTION("until they make up for it") {
        process.free(smaller);
        process.free(larger);
        process.log.events.clear();
        process.malloc(76_MiB);
        CHECK(process.log.letters() == "FFSa");
        CHECK(process.log.events[0].size == 40_MiB);
        CHECK(process.log.events[1].size == 36_MiB);
        CHECK(process.stats().num_alloc_retries == 0);
    }
    SECTION("if they do not make up for it, everything goes") {
        process.free(larger);
        process.log.events.clear();
        process.malloc(80_MiB);
        CHECK(process.log.letters() == "FFSa");
        CHECK(process.log.events[1].stream == process.side);
        CHECK(process.stats().num_alloc_retries == 1);
    }
}

TEST_CASE("garbage collection needs both a limit and a threshold", "[gc]") {
    const auto [conf, collects] = GENERATE(table<const char*, bool>(
        {{"garbage_collection_threshold:0.5", false},
         {"per_process_memory_fraction:0.9", false},
         {"garbage_collection_threshold:0.5,per_process_memory_fraction:0.9", true}}));
    Process process(conf, 100_MiB);
    process.free(process.malloc(50_MiB));
    process.malloc(12_MiB, process.side);
    CHECK((process.log.letters() == "SaqcFSa") == collects);
}

TEST_CASE("nothing is collected up to the threshold", "[gc]") {
    // 40 MiB is the threshold: half of half of 160 MiB.
    const auto [size, collects] = GENERATE(table<Bytes, bool>({{40_MiB, false}, {42_MiB, true}}));
    Process process("garbage_collection_threshold:0.5,per_process_memory_fraction:0.5", 160_MiB);
    process.free(process.malloc(size));
    process.malloc(12_MiB, process.side);
    CHECK((process.log.letters() == "SaqcFSa") == collects);
}

TEST_CASE("the blocks that waited longest are collected first", "[gc]") {
    Process process("garbage_collection_threshold:0.5,per_process_memory_fraction:0.9", 100_MiB);
    process.free(process.malloc(2_MiB, process.side));
    const BlockId old = process.malloc(14_MiB);
    const BlockId young = process.malloc(12_MiB);
    const Address expected = process.address(old);
    process.free(old);
    // Each search of the large pool makes what is free in it older.
    process.free(process.malloc(2_MiB, process.side));
    process.free(young);
    process.log.events.clear();
    process.malloc(12_MiB, process.other);
    REQUIRE(process.log.letters() == "FSa");
    CHECK(process.log.events[0].address == expected);
}

TEST_CASE("collection goes on in rounds until enough is free, and no longer", "[gc]") {
    // Of 56 MiB reserved, 40 or 24 may stay; a round takes the older half of what is left.
    const auto [conf, letters] =
        GENERATE(table<std::string, std::string>({{"garbage_collection_threshold:0.5", "FFSa"},
                                                  {"garbage_collection_threshold:0.3", "FFFSa"}}));
    Process process(conf + ",per_process_memory_fraction:0.5", 160_MiB);
    process.malloc(2_MiB, process.side);
    std::vector<BlockId> blocks;
    for (int i = 0; i < 3; ++i) {
        blocks.push_back(process.malloc(12_MiB));
    }
    for (const BlockId block : blocks) {
        process.free(block);
        process.free(process.malloc(2_MiB, process.side));
    }
    process.log.events.clear();
    process.malloc(12_MiB, process.other);
    CHECK(process.log.letters() == letters);
}

TEST_CASE("split blocks and the small pool are not collected", "[gc]") {
    Process process("garbage_collection_threshold:0.1,per_process_memory_fraction:0.9", 100_MiB);
    process.free(process.malloc(1_MiB));
    const BlockId piece = process.malloc(4_MiB);
    process.malloc(4_MiB);
    process.free(piece);
    process.log.events.clear();
    process.malloc(12_MiB, process.side);
    CHECK(process.log.letters() == "Sa");
}

TEST_CASE("lowering max split size under a split block is a predicted error", "[max_split_size]") {
    Process process("", 100_MiB);
    const BlockId front = process.malloc(40_MiB);
    process.free(front);
    process.malloc(2_MiB);
    process.malloc(60_MiB);
    process.allocator.apply_settings("max_split_size_mb:20");
    CHECK_THROWS_AS(process.allocator.malloc(70_MiB, kDefaultStream), PredictedError);
}

}  // namespace highwater
