#include "sim/capture/packing.hpp"

#include <algorithm>
#include <random>

#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

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

Bytes slow_least_capacity(std::vector<Lifetime> lifetimes) {
    std::erase_if(lifetimes, [](const Lifetime& each) { return each.lower == each.upper; });
    Bytes capacity;
    for (std::vector<Bytes> offsets; !fits(lifetimes, offsets, capacity); offsets.clear()) {
        capacity += 1_B;
    }
    return capacity;
}

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
        CHECK(packing.capacity == slow_least_capacity(lifetimes));
        CHECK(fault_in(lifetimes, packing) == "");
    }
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
