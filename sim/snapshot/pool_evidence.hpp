#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/snapshot/history.hpp"
#include "sim/snapshot/simulated_history.hpp"

namespace highwater {

/// Which regions cannot be of one pool, gathered while a history is replayed in which each region
/// of unknown pool is a pool of its own. PyTorch 2.11 does not write down the pool of memory that
/// is gone; but a request takes the least free block of its pool, and new memory only if there is
/// none, so what it passed over belongs to another. An expandable segment serves all of a pool's
/// requests of a stream, so two of them at a time are of two pools.
class PoolEvidence {
  public:
    /// `pools` by region, as the replay has them.
    PoolEvidence(const History& history, const std::vector<PoolId>& pools);

    void region_grew(RegionId region, Bytes by);
    void region_shrank(RegionId region, Bytes by);
    /// Before the request is served: from `region`, with new memory or without.
    void note_request(const SimulatedHistory& simulated,
                      Bytes requested,
                      StreamId stream,
                      RegionId region,
                      bool is_new);
    /// Before memory at these addresses is given back, outside of an allocation: all that is free
    /// of a pool goes at once, so what stays is of others.
    void note_release(const SimulatedHistory& simulated, const std::set<Address>& released);

    /// Every region's pool: known ones as they are, the others that of the requests around theirs
    /// unless something speaks against it, or one with an id that no program can have: (2^32, n).
    std::vector<PoolId> solve() const;

  private:
    using Votes = std::map<PoolId, std::size_t>;

    std::vector<Votes> votes(const std::vector<PoolId>& solved) const;
    std::optional<PoolId> best(std::size_t region,
                               const Votes& votes,
                               const std::vector<PoolId>& choices,
                               const std::vector<PoolId>& solved) const;
    bool differs(PoolId pool, PoolId own, const std::vector<PoolId>& solved) const;
    void add(PoolId one, PoolId other);
    void note_expandable(RegionId region);

    const History& history_;
    const std::vector<PoolId>& pools_;
    /// Bytes, by region.
    std::vector<Bytes> mapped_;
    /// Expandable regions that are there now.
    std::set<RegionId> expandable_;
    std::set<PoolId> known_;
    /// Placeholders of regions that are there now.
    std::set<PoolId> unknown_;
    /// How often a request was served by one region after the other, on the same stream.
    std::map<std::pair<RegionId, RegionId>, std::size_t> followed_;
    /// What served the last request of each stream.
    std::map<StreamId, RegionId> last_served_;
    /// Both ways.
    std::map<PoolId, std::set<PoolId>> different_;
};

/// The pools of regions, where unknown a placeholder of their own: (`kPlaceholderPools`, region).
std::vector<PoolId> with_placeholders(const History& history);

/// The first halves of ids that no program has: of pools that were inferred, and of placeholders.
inline constexpr std::uint64_t kInferredPools = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t kPlaceholderPools = std::uint64_t{1} << 33U;

}  // namespace highwater
