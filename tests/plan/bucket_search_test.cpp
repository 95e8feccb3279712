#include <algorithm>
#include <map>
#include <numeric>

#include "sim/plan/buckets/search.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::plan;

namespace {

/// A fixed sequence: the same on every machine.
class Lcg {
  public:
    explicit Lcg(std::uint64_t seed) : state_(seed) {}
    std::uint64_t below(std::uint64_t bound) {
        constexpr unsigned kHighBits = 33;
        state_ = state_ * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
        return (state_ >> kHighBits) % bound;
    }

  private:
    std::uint64_t state_;
};

struct Case {
    std::vector<BucketCandidate> candidates;
    BatchHistogram histogram;
};

enum class Memory { kAny, kEqual, kNone };

Case random_case(Lcg& random, Memory memory) {
    Case made;
    const std::uint64_t count = 1 + random.below(9);
    std::int64_t bucket = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        bucket += 1 + static_cast<std::int64_t>(random.below(3));
        const std::uint64_t any = memory == Memory::kAny ? random.below(40) : 7;
        made.candidates.push_back({bucket, bucket, Bytes{memory == Memory::kNone ? 0 : any}});
    }
    for (std::int64_t batch = 1; batch <= bucket; ++batch) {
        const auto batches = static_cast<std::int64_t>(random.below(5));
        if (batches > 0) {
            made.histogram.push_back({batch, batches});
        }
    }
    if (made.histogram.empty()) {
        made.histogram.push_back({1, 1});
    }
    return made;
}

std::int64_t rows_of(const BucketList& list, const BatchHistogram& histogram) {
    std::int64_t rows = 0;
    for (const BatchCount& each : histogram) {
        rows += each.count * smallest_bucket_for(each.batch, list).value();
    }
    return rows;
}

/// What each set of candidates with the largest among them takes, and the least work for it.
std::map<std::uint64_t, std::int64_t> all_lists(const Case& tried,
                                                std::size_t most,
                                                Memory memory) {
    std::map<std::uint64_t, std::int64_t> least;
    const std::size_t others = tried.candidates.size() - 1;
    for (std::size_t subset = 0; subset < std::size_t{1} << others; ++subset) {
        BucketList list;
        std::uint64_t taken = 0;
        for (std::size_t i = 0; i < others; ++i) {
            if ((subset >> i & 1U) != 0) {
                list.push_back(tried.candidates[i].bucket);
                taken += memory == Memory::kNone ? 1 : tried.candidates[i].memory.count;
            }
        }
        list.push_back(tried.candidates.back().bucket);
        if (list.size() > most) {
            continue;
        }
        const std::int64_t rows = rows_of(list, tried.histogram);
        const auto [at, is_new] = least.try_emplace(taken, rows);
        at->second = std::min(at->second, rows);
    }
    return least;
}

/// Those that no other beats.
std::map<std::uint64_t, std::int64_t> front_of(const std::map<std::uint64_t, std::int64_t>& all) {
    std::map<std::uint64_t, std::int64_t> front;
    std::int64_t least = INT64_MAX;
    for (const auto& [taken, rows] : all) {
        if (rows < least) {
            front.emplace(taken, rows);
            least = rows;
        }
    }
    return front;
}

}  // namespace

TEST_CASE("the search finds what trying every list finds", "[buckets]") {
    const auto memory = GENERATE(Memory::kAny, Memory::kEqual, Memory::kNone);
    const auto most = GENERATE(as<std::size_t>(), 1, 2, 3, 5, 100);
    Lcg random(7);
    for (int i = 0; i < 60; ++i) {
        const Case tried = random_case(random, memory);
        SearchLimits limits;
        limits.max_buckets = most == 100 ? std::nullopt : std::optional(most);
        const BucketSearch search(tried.candidates, tried.histogram, limits);
        REQUIRE(search.is_exact());
        std::map<std::uint64_t, std::int64_t> found;
        for (const FrontPoint& point : search.front()) {
            found.emplace(point.memory * search.unit().count, point.work);
            const BucketList list = search.list_of(point);
            REQUIRE(list.size() <= most);
            REQUIRE(rows_of(list, tried.histogram) == point.work);
            if (memory != Memory::kNone) {
                REQUIRE(search.memory_of(list).count == point.memory * search.unit().count);
            }
        }
        REQUIRE(found == front_of(all_lists(tried, most, memory)));
    }
}

TEST_CASE("lists beyond the memory that is asked for are not searched", "[buckets]") {
    Lcg random(11);
    const Case tried = random_case(random, Memory::kAny);
    SearchLimits limits;
    limits.most_memory = Bytes{30};
    const BucketSearch search(tried.candidates, tried.histogram, limits);
    std::map<std::uint64_t, std::int64_t> all = all_lists(tried, SIZE_MAX, Memory::kAny);
    all.erase(all.upper_bound(30), all.end());
    CHECK(search.front().back().work == front_of(all).rbegin()->second);
}

TEST_CASE("more memory wastes less, and the largest bucket alone comes first", "[buckets]") {
    Lcg random(3);
    for (int i = 0; i < 20; ++i) {
        const Case tried = random_case(random, Memory::kAny);
        const BucketSearch search(tried.candidates, tried.histogram);
        const std::vector<FrontPoint>& front = search.front();
        REQUIRE(front.front().memory == 0);
        for (std::size_t k = 1; k < front.size(); ++k) {
            REQUIRE(front[k - 1].memory < front[k].memory);
            REQUIRE(front[k - 1].work > front[k].work);
        }
    }
}

TEST_CASE("512 candidates of any memory stay within the steps allowed", "[buckets]") {
    constexpr std::int64_t kCandidates = 512;
    Lcg random(5);
    std::vector<BucketCandidate> candidates;
    BatchHistogram histogram;
    for (std::int64_t bucket = 1; bucket <= kCandidates; ++bucket) {
        candidates.push_back({bucket, bucket, Bytes{random.below(1U << 24U)}});
        histogram.push_back({bucket, 1 + static_cast<std::int64_t>(random.below(1000))});
    }
    SearchLimits limits;
    limits.most_steps = 50'000'000;
    limits.max_buckets = GENERATE(as<std::optional<std::size_t>>(), std::nullopt, 4);
    const BucketSearch search(candidates, histogram, limits);
    CHECK(search.steps() <= limits.most_steps);
    CHECK_FALSE(search.is_exact());
    // Coarse units move what a list takes, never what it wastes.
    for (std::size_t i = 0; i < search.front().size(); i += 40) {
        const FrontPoint& point = search.front()[i];
        CHECK(rows_of(search.list_of(point), histogram) == point.work);
    }
}
