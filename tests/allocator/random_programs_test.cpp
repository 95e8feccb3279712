// Long random programs under the audit: whatever the order of calls, totals, neighbours and order
// hold after every one.
#include <random>

#include "sim/allocator/predicted_error.hpp"
#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

namespace {

#ifdef NDEBUG
constexpr int kSteps = 3000;
#else
constexpr int kSteps = 300;  // sanitized, an audit takes about a millisecond
#endif

class RandomProgram {
  public:
    RandomProgram(std::string_view conf, std::uint64_t seed)
        : process_(conf, 1_GiB), random_(seed) {
        process_.events.idle = seed % 2 == 0;
    }

    void run(int steps) {
        for (int i = 0; i < steps; ++i) {
            step();
            process_.audit();
        }
    }

  private:
    std::uint64_t below(std::uint64_t n) { return random_() % n; }

    StreamId stream() { return StreamId{static_cast<std::uint32_t>(below(3))}; }

    Bytes size() {
        const auto largest = std::uint64_t{1} << (9 + below(19));
        return Bytes{1 + below(largest)};
    }

    std::size_t some_block() { return below(live_.size()); }

    void step() {
        const auto kind = below(100);
        if (kind < 45 || live_.empty()) {
            if (const auto block = process_.try_malloc(size(), stream())) {
                live_.push_back(*block);
            }
        } else if (kind < 80) {
            const std::size_t i = some_block();
            process_.free(live_[i]);
            live_[i] = live_.back();
            live_.pop_back();
        } else if (kind < 88) {
            process_.record_stream(live_[some_block()], stream());
        } else if (kind < 91) {
            process_.events.complete_all();
        } else if (kind < 93) {
            process_.empty_cache();
        } else {
            toggle_capture();
        }
    }

    void toggle_capture() {
        if (capturing_) {
            process_.end_capture(pool_);
            if (below(2) == 0) {
                process_.allocator.give_up_pool(pool_);
                pool_ = {0, pool_.second + 1};
            }
        } else {
            process_.begin_capture(pool_, {process_.side});
        }
        capturing_ = !capturing_;
    }

    Process process_;
    std::mt19937_64 random_;
    std::vector<BlockId> live_;
    PoolId pool_{0, 1};
    bool capturing_ = false;
};

}  // namespace

TEST_CASE("random programs leave the state whole", "[property]") {
    const auto* conf = GENERATE("",
                                "max_split_size_mb:32",
                                "roundup_power2_divisions:4",
                                "per_process_memory_fraction:0.3,garbage_collection_threshold:0.5",
                                "expandable_segments:True",
                                "expandable_segments:True,max_split_size_mb:64",
                                "large_segment_size_mb:64,per_process_memory_fraction:0.4");
    const auto seed = GENERATE(range(1, 4));
    INFO("conf '" << conf << "', seed " << seed);
    try {
        RandomProgram(conf, static_cast<std::uint64_t>(seed)).run(kSteps);
    } catch (const PredictedError& error) {
        // A private pool on expandable segments may run into PyTorch's own assert (9.3).
        REQUIRE(error.kind() == PredictedError::Kind::kInternalAssert);
        REQUIRE(std::string(conf).starts_with("expandable_segments"));
    }
}

}  // namespace highwater
