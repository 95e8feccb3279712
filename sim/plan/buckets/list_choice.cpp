#include "sim/plan/buckets/list_choice.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "sim/plan/fit/largest.hpp"

namespace highwater::plan {
namespace {

// Beyond the list that fits, more are tried: larger ones may fit into the same segments.
constexpr std::size_t kLookAhead = 3;
constexpr std::size_t kMostTradeOffs = 12;

}  // namespace

ListChoice::ListChoice(ListRuns& runs,
                       const BatchWork& work,
                       const std::vector<BucketFigures>& figures,
                       const ChoiceLimits& limits)
    : runs_(runs),
      work_(work),
      limits_(limits),
      base_(runs.run({work.candidates().back()}).growth.total()),
      search_(make_search(figures)),
      lists_(search_.front().size()) {}

Bytes ListChoice::beyond_base() const {
    return limits_.budget > base_ ? limits_.budget - base_ : Bytes{};
}

BucketSearch ListChoice::make_search(const std::vector<BucketFigures>& figures) const {
    std::vector<BucketCandidate> candidates;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const std::int64_t bucket = work_.candidates()[i];
        candidates.push_back({bucket, work_.of(bucket), figures[i].pool + figures[i].driver});
    }
    // Twice the budget, for the trade-off, and since the model may be above the truth.
    constexpr Bytes kMore{64U << 20U};
    SearchLimits limits;
    limits.max_buckets = limits_.max_buckets;
    limits.most_memory = beyond_base() * 2 + kMore;
    return {std::move(candidates), work_.histogram(), limits};
}

std::vector<BucketList> ListChoice::choose() {
    const std::optional<std::size_t> chosen = largest_point();
    std::set<std::size_t> points = trade_off();
    std::vector<BucketList> lists;
    if (chosen) {
        points.insert(*chosen);
        points.insert(std::min(*chosen + 1, lists_.size() - 1));
        if (const auto better = refined(list_at(*chosen))) {
            lists.push_back(*better);
        }
    }
    for (const std::size_t point : points) {
        fits(point);
        lists.push_back(list_at(point));
    }
    return lists;
}

const BucketList& ListChoice::list_at(std::size_t point) {
    if (lists_[point].empty()) {
        lists_[point] = search_.list_of(search_.front()[point]);
    }
    return lists_[point];
}

// Whether a run says so.
bool ListChoice::fits(const BucketList& list) {
    const ListRun& run = runs_.run(list);
    const Bytes expected = this->expected(list);
    const Bytes taken = run.growth.total();
    const bool fits = run.failure.empty() && taken <= limits_.budget;
    if (run.failure.empty()) {
        error_.most_above =
            std::max(error_.most_above, taken > expected ? taken - expected : Bytes{});
        error_.most_below =
            std::max(error_.most_below, expected > taken ? expected - taken : Bytes{});
    }
    if (!fits && expected <= limits_.budget && refused_.insert(list).second) {
        ++error_.refused;
    }
    return fits;
}

// The last list that the model lets have so much beyond the largest bucket.
std::size_t ListChoice::last_within(Bytes memory) const {
    const std::vector<FrontPoint>& front = search_.front();
    const auto beyond = std::ranges::upper_bound(
        front, memory / search_.unit(), {}, [](const FrontPoint& point) { return point.memory; });
    const auto index = static_cast<std::size_t>(beyond - front.begin());
    return std::max<std::size_t>(index, 1) - 1;
}

// What the model is off by where it was asked first is what it will be off by nearby.
std::size_t ListChoice::guessed_point() {
    constexpr int kMostCorrections = 3;
    std::size_t guess = last_within(beyond_base());
    for (int i = 0; i < kMostCorrections; ++i) {
        fits(guess);
        const ListRun& run = runs_.run(list_at(guess));
        const Bytes allowed = beyond_base() + expected(list_at(guess));
        const Bytes taken = run.growth.total();
        const std::size_t next = last_within(allowed > taken ? allowed - taken : Bytes{});
        if (!run.failure.empty() || next == guess) {
            break;
        }
        guess = next;
    }
    return guess;
}

// By the model first, which is then held to runs, up and down from there.
std::optional<std::size_t> ListChoice::largest_point() {
    const std::size_t count = lists_.size();
    const auto found = largest(
        {0, static_cast<std::int64_t>(count) - 1},
        [&](std::int64_t i) { return fits(static_cast<std::size_t>(i)); },
        static_cast<std::int64_t>(guessed_point()));
    if (!found) {
        return std::nullopt;
    }
    auto chosen = static_cast<std::size_t>(*found);
    for (std::size_t i = chosen + 2; i < count && i <= chosen + 1 + kLookAhead; ++i) {
        chosen = fits(i) ? i : chosen;
    }
    return chosen;
}

// Each has at most three fifths of the padding of the one before.
std::set<std::size_t> ListChoice::trade_off() const {
    constexpr std::int64_t kOf = 5;
    constexpr std::int64_t kShare = 3;
    const std::vector<FrontPoint>& front = search_.front();
    const std::int64_t needed = work_.needed();
    std::set<std::size_t> points{0};
    std::int64_t last = front[0].work - needed;
    for (std::size_t i = 1; i < front.size() && points.size() < kMostTradeOffs; ++i) {
        const std::int64_t padding = front[i].work - needed;
        if (padding <= last / kOf * kShare) {
            points.insert(i);
            last = padding;
        }
    }
    return points;
}

// Where memory comes in segments, a list may have more buckets in the same.
std::optional<BucketList> ListChoice::refined(const BucketList& list) {
    if (error_ == ModelError{}) {
        return std::nullopt;
    }
    constexpr int kMostAdditions = 6;
    std::optional<BucketList> best;
    for (int i = 0; i < kMostAdditions; ++i) {
        auto better = addition_to(best ? *best : list);
        if (!better) {
            break;
        }
        best = std::move(better);
    }
    return best;
}

// Those are tried that save most for what they take.
std::optional<BucketList> ListChoice::addition_to(const BucketList& list) {
    constexpr std::size_t kMostTries = 4;
    if (list.size() >= limits_.max_buckets.value_or(SIZE_MAX)) {
        return std::nullopt;
    }
    const std::int64_t now = work_.in(list).padding;
    std::multimap<double, BucketList, std::greater<>> best;
    for (const std::int64_t bucket : work_.candidates()) {
        BucketList with = list;
        const auto at = std::ranges::lower_bound(with, bucket);
        if (at != with.end() && *at == bucket) {
            continue;
        }
        with.insert(at, bucket);
        const std::int64_t saved = now - work_.in(with).padding;
        const Bytes more = search_.memory_of(with) - search_.memory_of(list);
        if (saved > 0) {
            best.emplace(static_cast<double>(saved) / (static_cast<double>(more.count) + 1),
                         std::move(with));
        }
        if (best.size() > kMostTries) {
            best.erase(std::prev(best.end()));
        }
    }
    const auto found =
        std::ranges::find_if(best, [&](const auto& each) { return fits(each.second); });
    return found == best.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace highwater::plan
