#include "sim/capture/packing.hpp"

#include <algorithm>
#include <utility>

namespace highwater {
namespace {

// The lowest gap of `size` between what is placed, given as {offset, end} in ascending order.
Bytes lowest_gap(const std::vector<std::pair<Bytes, Bytes>>& taken, Bytes size) {
    Bytes offset;
    for (const auto& [begin, end] : taken) {
        if (offset + size <= begin) {
            return offset;
        }
        offset = std::max(offset, end);
    }
    return offset;
}

Packing packed_in_order(std::span<const Lifetime> lifetimes,
                        const std::vector<std::size_t>& order) {
    Packing packing{std::vector<Bytes>(lifetimes.size()), {}, false};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Lifetime& next = lifetimes[order[i]];
        std::vector<std::pair<Bytes, Bytes>> taken;
        for (std::size_t j = 0; j < i; ++j) {
            const Lifetime& placed = lifetimes[order[j]];
            if (overlap(placed, next)) {
                const Bytes offset = packing.offsets[order[j]];
                taken.emplace_back(offset, offset + placed.size);
            }
        }
        std::ranges::sort(taken);
        const Bytes offset = lowest_gap(taken, next.size);
        packing.offsets[order[i]] = offset;
        packing.capacity = std::max(packing.capacity, offset + next.size);
    }
    return packing;
}

// Those that are ever in use, by falling `weight`.
template <typename Weight>
std::vector<std::size_t> falling(std::span<const Lifetime> lifetimes, Weight weight) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
        if (lifetimes[i].lower < lifetimes[i].upper) {
            order.push_back(i);
        }
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return weight(lifetimes[a]) > weight(lifetimes[b]);
    });
    return order;
}

// As a number that cannot overflow; it only guides the order.
double area(const Lifetime& lifetime) {
    return static_cast<double>(lifetime.size.count) *
           static_cast<double>(lifetime.upper - lifetime.lower);
}

}  // namespace

Packing first_fit_packing(std::span<const Lifetime> lifetimes) {
    const auto size = [](const Lifetime& lifetime) { return lifetime.size; };
    Packing packing = packed_in_order(lifetimes, falling(lifetimes, size));
    Packing by_area = packed_in_order(lifetimes, falling(lifetimes, area));
    if (by_area.capacity < packing.capacity) {
        packing = std::move(by_area);
    }
    packing.is_optimal = packing.capacity == largest_live(lifetimes);
    return packing;
}

}  // namespace highwater
