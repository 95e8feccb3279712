#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/capture/lifetimes.hpp"
#include "sim/core/bytes.hpp"

namespace highwater {

/// A place for each lifetime, so that no two that overlap share a byte.
struct Packing {
    /// One a lifetime, in their order.
    std::vector<Bytes> offsets;
    /// Where the highest of them ends.
    Bytes capacity;
    /// Whether it is proved that no packing has less capacity.
    bool is_optimal = false;
};

/// Puts the largest first, each at the lowest offset where it fits; the same with the largest
/// product of size and length first; and keeps the better. O(n^2 log n). Proved optimal only if
/// its capacity is the largest live size.
Packing first_fit_packing(std::span<const Lifetime> lifetimes);

/// How long to look for a proof.
struct PackingLimits {
    /// With more lifetimes there is no search.
    std::size_t lifetimes = 40;
    /// Partial packings looked at.
    std::uint64_t steps = 1000000;
};

/// The packing of least capacity, by branch and bound from `first_fit_packing`. Beyond the limits
/// the best one found, with `is_optimal` false. Always a packing.
Packing best_packing(std::span<const Lifetime> lifetimes, const PackingLimits& limits = {});

}  // namespace highwater
