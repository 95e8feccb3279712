#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/capture/capture_graph.hpp"
#include "sim/capture/packing.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// What a pool reserved at most, beside what no allocator could have done without.
struct PoolBounds {
    /// An index into `Ledger::pools`.
    std::size_t pool = 0;
    Bytes high_water;
    /// The most bytes asked for and alive at once, in the order of the Program.
    Bytes largest_live;
    /// The most that a schedule of one of its graphs may need at once, beside what was alive
    /// before its capture; the bound of the order if there is no graph. None where it is too large
    /// to be computed.
    std::optional<Bytes> any_schedule;
    /// What the best packing found by offsets takes, in the order of the Program. None for more
    /// than `kMostPacked` lifetimes.
    std::optional<Bytes> packed;
    bool is_packing_optimal = false;
    friend bool operator==(const PoolBounds&, const PoolBounds&) = default;
};

inline constexpr std::size_t kMostPacked = 3000;

/// Of every pool that something was placed in. `graphs`: those of the run, as `RunOptions::graphs`
/// takes them.
std::vector<PoolBounds> pool_bounds(const Program& program,
                                    const Ledger& ledger,
                                    std::span<const CaptureGraph> graphs);

}  // namespace highwater
