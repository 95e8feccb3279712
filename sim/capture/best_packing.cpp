#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/capture/packing.hpp"

namespace highwater {
namespace {

// A lifetime to place; it covers the sections [first, last) of time.
struct Item {
    std::size_t lifetime = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    Bytes size;
    // An earlier item that is the same but for its name.
    std::optional<std::size_t> twin;
};

// Part of a packing, filled from below.
struct Partial {
    // In each section the end of the highest item placed.
    std::vector<Bytes> heights;
    // In each section what is still to be placed.
    std::vector<Bytes> open;
    std::vector<std::optional<Bytes>> offsets;
    std::size_t placed = 0;
    // What was placed last.
    Bytes floor;
    std::size_t last = 0;
};

// Time between two steps at which something begins or ends.
std::vector<std::uint64_t> section_starts(std::span<const Lifetime> lifetimes) {
    std::vector<std::uint64_t> steps;
    for (const Lifetime& lifetime : lifetimes) {
        steps.push_back(lifetime.lower);
        steps.push_back(lifetime.upper);
    }
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

std::size_t section_at(const std::vector<std::uint64_t>& starts, std::uint64_t step) {
    return static_cast<std::size_t>(std::ranges::lower_bound(starts, step) - starts.begin());
}

// What takes room at all, the largest first.
std::vector<Item> items_of(std::span<const Lifetime> lifetimes,
                           const std::vector<std::uint64_t>& starts) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
        const Lifetime& each = lifetimes[i];
        if (each.lower < each.upper && each.size > Bytes{}) {
            items.push_back({i,
                             section_at(starts, each.lower),
                             section_at(starts, each.upper),
                             each.size,
                             std::nullopt});
        }
    }
    std::ranges::stable_sort(items, [](const Item& a, const Item& b) {
        return std::tuple(b.size, a.first, a.last) < std::tuple(a.size, b.first, b.last);
    });
    for (std::size_t i = 1; i < items.size(); ++i) {
        const Item& before = items[i - 1];
        if (before.size == items[i].size && before.first == items[i].first &&
            before.last == items[i].last) {
            items[i].twin = i - 1;
        }
    }
    return items;
}

// Some packing of least capacity has each item on the ground or on one that it overlaps; of those,
// take the one whose offsets add up to least. The search builds it in the order of its offsets,
// items at one offset in their own order and twins in theirs: each next item lies on the highest
// that is under it.
class Search {
  public:
    Search(std::span<const Lifetime> lifetimes, Packing start, const PackingLimits& limits)
        : starts_(section_starts(lifetimes)),
          items_(items_of(lifetimes, starts_)),
          least_(largest_live(lifetimes)),
          best_(std::move(start)),
          steps_left_(limits.steps) {}

    Packing run() {
        Partial nothing{std::vector<Bytes>(starts_.size()),
                        std::vector<Bytes>(starts_.size()),
                        std::vector<std::optional<Bytes>>(items_.size()),
                        0,
                        {},
                        0};
        for (const Item& item : items_) {
            for (std::size_t s = item.first; s < item.last; ++s) {
                nothing.open[s] += item.size;
            }
        }
        extend(nothing);
        best_.is_optimal = steps_left_ > 0 || best_.capacity == least_;
        return std::move(best_);
    }

  private:
    struct Choice {
        Bytes offset;
        std::size_t item = 0;
        friend auto operator<=>(const Choice&, const Choice&) = default;
    };

    void extend(const Partial& partial) {
        if (steps_left_ == 0 || best_.capacity == least_) {
            return;
        }
        --steps_left_;
        if (partial.placed == items_.size()) {
            keep(partial);
            return;
        }
        if (capacity_at_least(partial) >= best_.capacity) {
            return;
        }
        for (const Choice& choice : choices(partial)) {
            extend(with(partial, choice));
        }
    }

    // All that is open in a section will lie on what is placed there, and not under the floor.
    static Bytes capacity_at_least(const Partial& partial) {
        Bytes capacity;
        for (std::size_t s = 0; s < partial.heights.size(); ++s) {
            const Bytes height = partial.heights[s];
            const Bytes open = partial.open[s];
            capacity = std::max(capacity,
                                open > Bytes{} ? std::max(height, partial.floor) + open : height);
        }
        return capacity;
    }

    Bytes lowest_offset(const Partial& partial, const Item& item) const {
        return *std::max_element(partial.heights.begin() + static_cast<std::ptrdiff_t>(item.first),
                                 partial.heights.begin() + static_cast<std::ptrdiff_t>(item.last));
    }

    bool may_follow(const Partial& partial, const Choice& choice) const {
        const auto twin = items_[choice.item].twin;
        return (!twin || partial.offsets[*twin]) &&
               (choice.offset > partial.floor ||
                (choice.offset == partial.floor &&
                 (partial.placed == 0 || choice.item > partial.last)));
    }

    // What may come next, the lowest first. If an item fits whole under an offset, that offset is
    // not for now: the packing with the item there would have a smaller sum of offsets.
    std::vector<Choice> choices(const Partial& partial) const {
        std::vector<Choice> found;
        std::optional<Bytes> ceiling;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (partial.offsets[i]) {
                continue;
            }
            const Choice choice{lowest_offset(partial, items_[i]), i};
            const Bytes end = choice.offset + items_[i].size;
            ceiling = ceiling ? std::min(*ceiling, end) : end;
            if (may_follow(partial, choice)) {
                found.push_back(choice);
            }
        }
        std::erase_if(found, [&](const Choice& choice) { return choice.offset >= *ceiling; });
        std::ranges::sort(found);
        return found;
    }

    Partial with(const Partial& partial, const Choice& choice) const {
        Partial next = partial;
        const Item& item = items_[choice.item];
        for (std::size_t s = item.first; s < item.last; ++s) {
            next.heights[s] = choice.offset + item.size;
            next.open[s] -= item.size;
        }
        next.offsets[choice.item] = choice.offset;
        ++next.placed;
        next.floor = choice.offset;
        next.last = choice.item;
        return next;
    }

    void keep(const Partial& whole) {
        const Bytes capacity = *std::ranges::max_element(whole.heights);
        if (capacity >= best_.capacity) {
            return;
        }
        best_.capacity = capacity;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            best_.offsets[items_[i].lifetime] = *whole.offsets[i];
        }
    }

    std::vector<std::uint64_t> starts_;
    std::vector<Item> items_;
    Bytes least_;
    Packing best_;
    std::uint64_t steps_left_;
};

}  // namespace

Packing best_packing(std::span<const Lifetime> lifetimes, const PackingLimits& limits) {
    Packing packing = first_fit_packing(lifetimes);
    if (packing.is_optimal || lifetimes.size() > limits.lifetimes) {
        return packing;
    }
    return Search(lifetimes, std::move(packing), limits).run();
}

}  // namespace highwater
