#include "sim/capture/packing.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

#ifdef NDEBUG
constexpr std::uint64_t kSeeds = 1000;
#else
constexpr std::uint64_t kSeeds = 30;  // sanitized, trying every order takes tens of times as long
#endif

// What is wrong with a packing, byte by byte and step by step; empty if nothing is.
std::string fault_in(const std::vector<Lifetime>& lifetimes, const Packing& packing) {
    if (packing.offsets.size() != lifetimes.size()) {
        return "not one offset a lifetime";
    }
    std::vector<std::vector<int>> used;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
        for (std::uint64_t step = lifetimes[i].lower; step < lifetimes[i].upper; ++step) {
            used.resize(std::max<std::size_t>(used.size(), step + 1));
            used[step].resize(packing.capacity.count);
            const std::uint64_t offset = packing.offsets[i].count;
            for (std::uint64_t byte = offset; byte < offset + lifetimes[i].size.count; ++byte) {
                if (byte >= used[step].size()) {
                    return "a lifetime ends above the capacity";
                }
                if (used[step][byte]++ > 0) {
                    return "a byte is used twice";
                }
            }
        }
    }
    return {};
}

std::vector<Lifetime> ever_live(std::vector<Lifetime> lifetimes) {
    std::erase_if(lifetimes, [](const Lifetime& each) { return each.lower == each.upper; });
    return lifetimes;
}

// Whether the lifetimes from `next` on fit beside those placed, by trying every offset.
bool fits(const std::vector<Lifetime>& lifetimes, std::vector<Bytes>& offsets, Bytes capacity) {
    const std::size_t next = offsets.size();
    if (next == lifetimes.size()) {
        return true;
    }
    for (Bytes offset; offset + lifetimes[next].size <= capacity; offset += 1_B) {
        bool is_free = true;
        for (std::size_t i = 0; i < next; ++i) {
            is_free = is_free && (!overlap(lifetimes[i], lifetimes[next]) ||
                                  offsets[i] + lifetimes[i].size <= offset ||
                                  offset + lifetimes[next].size <= offsets[i]);
        }
        offsets.push_back(offset);
        if (is_free && fits(lifetimes, offsets, capacity)) {
            return true;
        }
        offsets.pop_back();
    }
    return false;
}

Bytes slow_least_capacity(const std::vector<Lifetime>& lifetimes) {
    Bytes capacity;
    for (std::vector<Bytes> offsets; !fits(lifetimes, offsets, capacity); offsets.clear()) {
        capacity += 1_B;
    }
    return capacity;
}

// The least capacity by laying the lifetimes down in every order, each on the highest under it.
// For sizes at which trying every offset takes too long.
class EveryOrder {
  public:
    explicit EveryOrder(std::vector<Lifetime> lifetimes)
        : lifetimes_(std::move(lifetimes)), ends_(lifetimes_.size()) {
        lay_next({});
    }

    Bytes least() const { return *least_; }

  private:
    Bytes lowest_offset(const Lifetime& lifetime) const {
        Bytes offset;
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            if (ends_[i] && overlap(lifetimes_[i], lifetime)) {
                offset = std::max(offset, *ends_[i]);
            }
        }
        return offset;
    }

    void lay_next(Bytes capacity) {
        bool is_last = true;
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            if (!ends_[i]) {
                is_last = false;
                const Bytes end = lowest_offset(lifetimes_[i]) + lifetimes_[i].size;
                ends_[i] = end;
                lay_next(std::max(capacity, end));
                ends_[i].reset();
            }
        }
        if (is_last) {
            least_ = least_ ? std::min(*least_, capacity) : capacity;
        }
    }

    std::vector<Lifetime> lifetimes_;
    std::vector<std::optional<Bytes>> ends_;
    std::optional<Bytes> least_;
};

struct Like {
    std::size_t lifetimes = 0;
    std::uint64_t steps = 0;
    std::uint64_t largest = 0;
};

std::vector<Lifetime> random_lifetimes(const Like& like, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Lifetime> lifetimes;
    for (std::size_t i = 0; i < like.lifetimes; ++i) {
        const std::uint64_t lower = random() % like.steps;
        lifetimes.push_back(
            {i, lower, lower + random() % like.steps, Bytes{random() % (like.largest + 1)}});
    }
    return lifetimes;
}

}  // namespace

TEST_CASE("nothing takes no room", "[packing]") {
    const auto packing = best_packing({});
    CHECK(packing.capacity == 0_B);
    CHECK(packing.is_optimal);
}

TEST_CASE("lifetimes that do not overlap share a place", "[packing]") {
    const auto packing =
        best_packing(std::vector<Lifetime>{{0, 0, 5, 4_MiB}, {1, 5, 9, 3_MiB}, {2, 1, 1, 9_MiB}});
    CHECK(packing.offsets == std::vector<Bytes>{0_B, 0_B, 0_B});
    CHECK(packing.capacity == 4_MiB);
    CHECK(packing.is_optimal);
}

TEST_CASE("a search that was cut short does not claim a proof", "[packing]") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto lifetimes = random_lifetimes({14, 12, 9}, seed);
        if (first_fit_packing(lifetimes).is_optimal) {
            continue;
        }
        const auto cut_short = best_packing(lifetimes, {.lifetimes = 14, .steps = 1});
        CHECK_FALSE(cut_short.is_optimal);
        CHECK_FALSE(best_packing(lifetimes, {.lifetimes = 13, .steps = 1000}).is_optimal);
        CHECK(fault_in(lifetimes, cut_short).empty());
        return;
    }
    FAIL("first fit was optimal for every seed");
}

TEST_CASE("the best packing of a few lifetimes has the least capacity there is",
          "[packing][property]") {
    const auto like = GENERATE(Like{4, 5, 3}, Like{6, 6, 3}, Like{7, 8, 2}, Like{6, 4, 4});
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const auto lifetimes = random_lifetimes(like, seed);
        const auto packing = best_packing(lifetimes);
        INFO(like.lifetimes << " lifetimes, seed " << seed << "\n" << to_minimalloc_csv(lifetimes));
        CHECK(packing.is_optimal);
        CHECK(packing.capacity == slow_least_capacity(ever_live(lifetimes)));
        CHECK(fault_in(lifetimes, packing) == "");
    }
}

TEST_CASE("where first fit falls short the search finds the least capacity",
          "[packing][property]") {
    const auto like = GENERATE(Like{7, 5, 12}, Like{7, 9, 40}, Like{8, 5, 4}, Like{8, 8, 100});
    std::size_t short_of = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const auto lifetimes = random_lifetimes(like, seed);
        if (first_fit_packing(lifetimes).is_optimal) {
            continue;
        }
        const auto packing = best_packing(lifetimes);
        INFO(like.lifetimes << " lifetimes, seed " << seed << "\n" << to_minimalloc_csv(lifetimes));
        CHECK(packing.is_optimal);
        CHECK(packing.capacity == EveryOrder(ever_live(lifetimes)).least());
        CHECK(fault_in(lifetimes, packing) == "");
        ++short_of;
    }
    CHECK(short_of > 0);
}

TEST_CASE("first fit fills a gap to the last byte", "[packing]") {
    const std::vector<Lifetime> lifetimes{
        {0, 0, 1, 5_B}, {1, 0, 3, 4_B}, {2, 1, 3, 3_B}, {3, 1, 3, 2_B}};
    CHECK(first_fit_packing(lifetimes).offsets == std::vector<Bytes>{0_B, 5_B, 0_B, 3_B});
}

TEST_CASE("packings are whole, and between the largest live size and first fit",
          "[packing][property]") {
    const auto like = GENERATE(Like{12, 10, 9}, Like{20, 20, 30}, Like{60, 40, 20});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto lifetimes = random_lifetimes(like, seed);
        const auto first_fit = first_fit_packing(lifetimes);
        const auto best = best_packing(lifetimes, {.lifetimes = 40, .steps = 2000});
        INFO(like.lifetimes << " lifetimes, seed " << seed);
        CHECK(fault_in(lifetimes, first_fit) == "");
        CHECK(fault_in(lifetimes, best) == "");
        CHECK(best.capacity <= first_fit.capacity);
        CHECK(best.capacity >= largest_live(lifetimes));
    }
}

}  // namespace highwater
