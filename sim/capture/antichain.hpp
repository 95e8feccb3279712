#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace highwater {

/// Elements with weights, some of which come before others.
struct WeightedOrder {
    /// Their sum is below 2^62.
    std::vector<std::uint64_t> weights;
    /// {a, b}: a comes before b. Acyclic; what others imply may be left out, and is better so.
    std::vector<std::pair<std::size_t, std::size_t>> before;
};

/// Elements none of which comes before another.
struct Antichain {
    std::uint64_t weight = 0;
    /// Ascending.
    std::vector<std::size_t> elements;
    friend bool operator==(const Antichain&, const Antichain&) = default;
};

/// The heaviest antichain, by Dilworth's theorem with weights: as heavy as the fewest chains that
/// pass through each element as often as it weighs. Found as a cut of a flow network of two nodes
/// an element.
Antichain heaviest_antichain(const WeightedOrder& order);

}  // namespace highwater
