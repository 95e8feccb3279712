// Why free memory serves no request: the reasons balance, and are those that malloc goes by.
#include "sim/allocator/stranded.hpp"

#include <random>

#include "sim/allocator/predicted_error.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;
using Reason = StrandedReason;

namespace {

constexpr PoolId kStrandedPool{0, 1};

StrandedBytes stranded_for(const Process& process, Bytes size, StreamId stream) {
    const allocator::State& s = process.allocator.state();
    return allocator::stranded(s, allocator::request_of(s, size, stream));
}

StrandedBytes only_stranded(Reason reason, Bytes bytes) {
    StrandedBytes result;
    result[reason] = bytes;
    return result;
}

StrandedBytes summed_up(const allocator::State& s,
                        const std::vector<allocator::Verdict>& verdicts) {
    StrandedBytes sum;
    for (const allocator::Verdict& verdict : verdicts) {
        (verdict.reason ? sum[*verdict.reason] : sum.usable) += s.blocks[verdict.block].size;
    }
    return sum;
}

}  // namespace

TEST_CASE("a block freed on one stream is stranded for another", "[stranded]") {
    Process process;
    process.free(process.malloc(32_MiB, process.side));
    CHECK(stranded_for(process, 32_MiB, process.other) ==
          only_stranded(Reason::kOtherStream, 32_MiB));
    StrandedBytes usable;
    usable.usable = 32_MiB;
    CHECK(stranded_for(process, 32_MiB, process.side) == usable);
}

TEST_CASE("a block of the default pool is stranded for a capture, and the other way round",
          "[stranded]") {
    Process process;
    process.free(process.malloc(32_MiB, process.side));
    process.begin_capture(kStrandedPool, {process.side});
    CHECK(stranded_for(process, 32_MiB, process.side) == only_stranded(Reason::kOtherPool, 32_MiB));
    process.free(process.malloc(64_MiB, process.side));
    StrandedBytes expected = only_stranded(Reason::kOtherPool, 32_MiB);
    expected.usable = 64_MiB;
    CHECK(stranded_for(process, 64_MiB, process.side) == expected);
    process.end_capture(kStrandedPool);
    CHECK(stranded_for(process, 64_MiB, process.side)[Reason::kOtherPool] == 64_MiB);
}

TEST_CASE("small blocks are stranded for large requests, and large ones for small", "[stranded]") {
    Process process;
    process.free(process.malloc(1_MiB));
    CHECK(stranded_for(process, 1_MiB + 1_B, kDefaultStream) ==
          only_stranded(Reason::kSmallLarge, 2_MiB));
    process.free(process.malloc(12_MiB));
    CHECK(stranded_for(process, 1_MiB, kDefaultStream)[Reason::kSmallLarge] == 12_MiB);
}

TEST_CASE("a smaller block is too small, one of the same size is usable", "[stranded]") {
    Process process;
    process.free(process.malloc(32_MiB));
    CHECK(stranded_for(process, 32_MiB + 1_B, kDefaultStream) ==
          only_stranded(Reason::kTooSmall, 32_MiB));
    CHECK(stranded_for(process, 32_MiB, kDefaultStream).usable == 32_MiB);
}

TEST_CASE("a block waits for its events", "[stranded]") {
    Process process;
    process.events.idle = false;
    const BlockId block = process.malloc(32_MiB);
    process.record_stream(block, process.side);
    process.free(block);
    CHECK(stranded_for(process, 32_MiB, kDefaultStream) ==
          only_stranded(Reason::kWaitingForEvents, 32_MiB));
    CHECK(stranded_for(process, 32_MiB, process.side) ==
          only_stranded(Reason::kOtherStream, 32_MiB));
}

TEST_CASE("a block freed with uses in a capture is parked", "[stranded]") {
    Process process;
    process.begin_capture(kStrandedPool, {process.side});
    const BlockId block = process.malloc(32_MiB, process.side);
    process.record_stream(block, process.other);
    process.free(block);
    CHECK(stranded_for(process, 32_MiB, process.side) == only_stranded(Reason::kParked, 32_MiB));
    process.end_capture(kStrandedPool);
    process.malloc(1_KiB);
    const auto rows = allocator::bytes_by_pool_stream(process.allocator.state());
    const auto parked = std::ranges::find(rows, kStrandedPool, &allocator::PoolStreamBytes::pool);
    REQUIRE(parked != rows.end());
    CHECK(parked->free == 32_MiB);
    CHECK(parked->parked == Bytes{});
}

TEST_CASE("an oversize block is kept from smaller requests", "[stranded]") {
    Process process("max_split_size_mb:32");
    process.free(process.malloc(64_MiB));
    CHECK(stranded_for(process, 20_MiB, kDefaultStream) ==
          only_stranded(Reason::kMaxSplitSize, 64_MiB));
    CHECK(stranded_for(process, 64_MiB, kDefaultStream).usable == 64_MiB);
    // Not below the request by max_non_split_rounding, 20 MiB, or more.
    CHECK(stranded_for(process, 44_MiB, kDefaultStream) ==
          only_stranded(Reason::kMaxSplitSize, 64_MiB));
    CHECK(stranded_for(process, 44_MiB + 1_B, kDefaultStream).usable == 64_MiB);
}

TEST_CASE("an expandable block is stranded once the option is off", "[stranded]") {
    Process process("expandable_segments:True");
    process.free(process.malloc(40_MiB));
    process.allocator.apply_settings("expandable_segments:False");
    CHECK(stranded_for(process, 40_MiB, kDefaultStream) ==
          only_stranded(Reason::kExpandableOff, 40_MiB));
}

TEST_CASE("the free end of an expandable segment is what it grows from", "[stranded]") {
    Process process("expandable_segments:True");
    const BlockId kept = process.malloc(20_MiB);
    process.free(process.malloc(20_MiB));
    CHECK(stranded_for(process, 40_MiB, kDefaultStream) == only_stranded(Reason::kGrows, 20_MiB));
    CHECK(stranded_for(process, 20_MiB, kDefaultStream).usable == 20_MiB);
    const std::uint64_t before = process.reserved();
    process.malloc(40_MiB);
    CHECK(process.reserved() == before + (20_MiB).count);
    process.free(kept);
}

TEST_CASE("a pool remembers the request that it last grew for", "[stranded]") {
    Process process;
    const auto growth = [&] { return process.allocator.state().usages.front().last_growth; };
    CHECK_FALSE(growth());
    process.free(process.malloc(32_MiB, process.side));
    CHECK(growth() == Growth{32_MiB, process.side, {}});
    process.malloc(12_MiB, process.other);
    const Growth last{12_MiB, process.other, only_stranded(Reason::kOtherStream, 32_MiB)};
    CHECK(growth() == last);
    // Neither what the cache serves nor what is taken again below the high-water mark counts.
    process.empty_cache();
    process.malloc(30_MiB, process.side);
    CHECK(growth() == last);
}

TEST_CASE("a request that waits out the cache keeps what was free before", "[stranded]") {
    Process process("", 100_MiB);
    process.free(process.malloc(50_MiB, process.side));
    process.free(process.malloc(40_MiB, process.other));
    process.malloc(96_MiB);
    CHECK(process.allocator.state().usages.front().last_growth->stranded ==
          only_stranded(Reason::kOtherStream, 90_MiB));
}

namespace {

#ifdef NDEBUG
constexpr int kAskedSteps = 2000;
#else
constexpr int kAskedSteps = 200;
#endif

/// Random calls; after each, random questions.
class AskedProgram {
  public:
    AskedProgram(std::string_view conf, std::uint64_t seed) : process_(conf, 1_GiB), random_(seed) {
        process_.events.idle = seed % 2 == 0;
    }

    void run() {
        for (int i = 0; i < kAskedSteps; ++i) {
            step();
            ask();
        }
    }
    /// Which reasons came up, usable first.
    std::array<bool, kStrandedReasons + 1> seen{};

  private:
    std::uint64_t below(std::uint64_t n) { return random_() % n; }
    StreamId stream() { return StreamId{static_cast<std::uint32_t>(below(3))}; }
    Bytes size() { return Bytes{1 + below(std::uint64_t{1} << (9 + below(19)))}; }

    void step() {
        const auto kind = below(100);
        if (kind < 45 || live_.empty()) {
            if (const auto block = process_.try_malloc(size(), stream())) {
                live_.push_back(*block);
            }
        } else if (kind < 82) {
            std::swap(live_[below(live_.size())], live_.back());
            process_.free(live_.back());
            live_.pop_back();
        } else if (kind < 90) {
            process_.record_stream(live_[below(live_.size())], stream());
        } else if (kind < 93) {
            process_.events.complete_all();
        } else if (kind < 95) {
            process_.empty_cache();
        } else if (capturing_) {
            process_.end_capture(kStrandedPool);
            capturing_ = false;
        } else {
            process_.begin_capture(kStrandedPool, {process_.side});
            capturing_ = true;
        }
    }

    void ask() {
        const allocator::State& s = process_.allocator.state();
        const allocator::Request request = allocator::request_of(s, size(), stream());
        const StrandedBytes all = allocator::stranded(s, request);
        const MemoryStats stats = process_.stats();
        // The balance, and that the sums are those of the blocks.
        REQUIRE(all.total().count ==
                stats.reserved_bytes.all.current - stats.allocated_bytes.all.current);
        REQUIRE(all == summed_up(s, allocator::verdicts(s, request)));
        // Usable is what malloc would find.
        const bool finds = allocator::find_cached_block(s, request) != kNoBlock;
        REQUIRE((all.usable > Bytes{0}) == finds);
        note(all);
    }

    void note(const StrandedBytes& all) {
        seen[0] |= all.usable > Bytes{0};
        for (std::size_t i = 0; i < kStrandedReasons; ++i) {
            seen.at(i + 1) |= all.by_reason.at(i) > Bytes{0};
        }
    }

    Process process_;
    std::mt19937_64 random_;
    std::vector<BlockId> live_;
    bool capturing_ = false;
};

}  // namespace

TEST_CASE("usable and stranded bytes are those reserved and not allocated",
          "[stranded][property]") {
    const auto* conf = GENERATE("",
                                "max_split_size_mb:32",
                                "expandable_segments:True",
                                "expandable_segments:True,max_split_size_mb:64",
                                "large_segment_size_mb:64,per_process_memory_fraction:0.4");
    const auto seed = GENERATE(range(1, 4));
    INFO("conf '" << conf << "', seed " << seed);
    AskedProgram program(conf, static_cast<std::uint64_t>(seed));
    program.run();
    const std::string_view text(conf);
    const auto came_up = [&](Reason reason) { return program.seen.at(1 + index_of(reason)); };
    CHECK(program.seen[0]);
    CHECK(came_up(Reason::kOtherPool));
    CHECK(came_up(Reason::kSmallLarge));
    CHECK(came_up(Reason::kOtherStream));
    CHECK(came_up(Reason::kTooSmall));
    CHECK(came_up(Reason::kGrows) == text.starts_with("expandable"));
}

TEST_CASE("pool streams add up to what is reserved", "[stranded][property]") {
    Process process;
    process.events.idle = false;
    const BlockId waits = process.malloc(3_MiB, process.side);
    process.record_stream(waits, process.other);
    process.free(waits);
    process.malloc(600_KiB, process.side);
    process.free(process.malloc(12_MiB));
    Bytes reserved;
    for (const auto& row : allocator::bytes_by_pool_stream(process.allocator.state())) {
        CHECK(row.reserved == row.allocated + row.free + row.waiting + row.parked);
        reserved += row.reserved;
    }
    CHECK(reserved.count == process.reserved());
}

}  // namespace highwater
