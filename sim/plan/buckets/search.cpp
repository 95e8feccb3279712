#include "sim/plan/buckets/search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/core/check.hpp"

namespace highwater::plan {
namespace {

// More than any work; two of them do not overflow.
constexpr std::int64_t kNever = std::int64_t{1} << 62;
// Below this units are too coarse to tell lists apart.
constexpr std::uint64_t kFewestCells = 64;
constexpr std::uint64_t kMostCells = 8192;

std::uint64_t in_units(std::uint64_t bytes, std::uint64_t unit) {
    const std::uint64_t rounded = (bytes + unit / 2) / unit;
    return bytes == 0 ? 0 : std::max<std::uint64_t>(rounded, 1);
}

}  // namespace

BucketSearch::BucketSearch(std::vector<BucketCandidate> candidates,
                           const BatchHistogram& histogram,
                           const SearchLimits& limits)
    : candidates_(std::move(candidates)) {
    check(!candidates_.empty() && !histogram.empty(), "there is something to search");
    check(candidates_.back().bucket >= histogram.back().batch, "the last candidate holds all");
    count_batches(histogram);
    choose_unit(limits);
    fill_layers();
    find_front();
}

void BucketSearch::count_batches(const BatchHistogram& histogram) {
    std::size_t next = 0;
    std::int64_t sum = 0;
    for (const BucketCandidate& candidate : candidates_) {
        for (; next < histogram.size() && histogram[next].batch <= candidate.bucket; ++next) {
            sum += histogram[next].count;
        }
        held_.push_back(sum);
    }
}

void BucketSearch::choose_unit(const SearchLimits& limits) {
    const std::vector<std::uint64_t> memory = counted_memory();
    const std::size_t count = memory.size();
    const auto others_end = std::prev(memory.end());
    const std::uint64_t divisor =
        std::accumulate(memory.begin(), others_end, std::uint64_t{0}, [](auto a, auto b) {
            return std::gcd(a, b);
        });
    const std::uint64_t all = std::accumulate(memory.begin(), others_end, std::uint64_t{0});
    const bool counts_bytes = candidates_.front().memory.count == memory.front();
    const std::uint64_t most = counts_bytes ? std::min(all, limits.most_memory.count) : all;
    // Where all take the same, memory counts the buckets itself.
    const bool are_equal = std::all_of(
        memory.begin(), others_end, [&](std::uint64_t each) { return each == divisor; });
    const std::size_t most_buckets = std::min(limits.max_buckets.value_or(count), count);
    counts_layers_ = limits.max_buckets && !are_equal;
    const std::size_t layers = counts_layers_ ? most_buckets : 1;
    const std::uint64_t pairs = count * (count + 1) / 2;
    const std::uint64_t cells =
        std::clamp(limits.most_steps / (pairs * layers), kFewestCells, kMostCells);
    is_exact_ = divisor == 0 || most / divisor < cells;
    unit_ = std::max<std::uint64_t>(is_exact_ ? divisor : most / (cells - 1) + 1, 1);
    cells_ = most / unit_ + 1;
    if (are_equal) {
        cells_ = std::min(cells_, most_buckets);
    }
    for (const std::uint64_t each : memory) {
        units_.push_back(in_units(each, unit_));
    }
    layers_.assign(layers, std::vector<Row>(count, Row(cells_, kNever)));
}

// Of each candidate, but the last, which all lists have.
std::vector<std::uint64_t> BucketSearch::counted_memory() const {
    std::vector<std::uint64_t> memory;
    for (const BucketCandidate& candidate : candidates_) {
        memory.push_back(candidate.memory.count);
    }
    memory.back() = 0;
    if (std::ranges::all_of(memory, [](std::uint64_t each) { return each == 0; })) {
        std::fill(memory.begin(), std::prev(memory.end()), 1);
    }
    return memory;
}

void BucketSearch::fill_layers() {
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        for (std::size_t last = 0; last < candidates_.size(); ++last) {
            fill(layer, last);
        }
    }
}

void BucketSearch::fill(std::size_t layer, std::size_t last) {
    Row& into = layers_[layer][last];
    if (layer == 0 && units_[last] < cells_) {
        into[units_[last]] = work(std::nullopt, last);
    }
    if (counts_layers_ && layer == 0) {
        return;
    }
    const std::vector<Row>& from = layers_[counts_layers_ ? layer - 1 : 0];
    for (std::size_t before = 0; before < last; ++before) {
        extend(from[before], work(before, last), units_[last], into);
    }
}

void BucketSearch::extend(const Row& from, std::int64_t work, std::size_t units, Row& into) {
    if (units >= cells_) {
        return;
    }
    const std::int64_t* const source = from.data();
    std::int64_t* const target = into.data() + units;
    const std::size_t count = cells_ - units;
    for (std::size_t i = 0; i < count; ++i) {
        target[i] = std::min(target[i], source[i] + work);
    }
    steps_ += count;
}

std::int64_t BucketSearch::work(std::optional<std::size_t> before, std::size_t last) const {
    const std::int64_t smaller = before ? held_[*before] : 0;
    return (held_[last] - smaller) * candidates_[last].work;
}

void BucketSearch::find_front() {
    std::int64_t least = kNever;
    for (std::size_t memory = 0; memory < cells_; ++memory) {
        std::size_t best = 0;
        for (std::size_t layer = 1; layer < layers_.size(); ++layer) {
            if (layers_[layer].back()[memory] < layers_[best].back()[memory]) {
                best = layer;
            }
        }
        const std::int64_t work = layers_[best].back()[memory];
        if (work < least) {
            front_.push_back({memory, work, best});
            least = work;
        }
    }
}

BucketList BucketSearch::list_of(const FrontPoint& point) const {
    BucketList list{candidates_.back().bucket};
    std::size_t last = candidates_.size() - 1;
    std::size_t memory = point.memory;
    std::size_t layer = point.layer;
    std::int64_t left = point.work;
    while (!(layer == 0 && memory == units_[last] && left == work(std::nullopt, last))) {
        memory -= units_[last];
        layer -= counts_layers_ ? 1U : 0U;
        std::size_t before = 0;
        while (layers_[layer][before][memory] + work(before, last) != left) {
            ++before;
            check(before < last, "what was found was found from something");
        }
        left -= work(before, last);
        last = before;
        list.push_back(candidates_[last].bucket);
    }
    std::ranges::sort(list);
    return list;
}

Bytes BucketSearch::memory_of(const BucketList& list) const {
    Bytes sum;
    for (std::size_t i = 0; i + 1 < candidates_.size(); ++i) {
        if (std::ranges::binary_search(list, candidates_[i].bucket)) {
            sum += candidates_[i].memory;
        }
    }
    return sum;
}

}  // namespace highwater::plan
