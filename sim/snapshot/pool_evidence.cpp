#include "sim/snapshot/pool_evidence.hpp"

#include <algorithm>
#include <utility>

namespace highwater {
namespace {

// Bounds for histories that no program has.
constexpr std::size_t kMostCompared = 256;
constexpr std::uint64_t kMostInferred = 64;

bool is_placeholder(PoolId pool) {
    return pool.first == kPlaceholderPools;
}

void for_each_compared(const std::set<PoolId>& pools, const auto& look_at) {
    std::size_t count = 0;
    for (auto pool = pools.begin(); pool != pools.end() && count < kMostCompared; ++pool) {
        look_at(*pool);
        ++count;
    }
}

}  // namespace

std::vector<PoolId> with_placeholders(const History& history) {
    std::vector<PoolId> pools;
    for (std::size_t i = 0; i < history.regions.size(); ++i) {
        pools.push_back(history.regions[i].pool.value_or(PoolId{kPlaceholderPools, i}));
    }
    return pools;
}

PoolEvidence::PoolEvidence(const History& history, const std::vector<PoolId>& pools)
    : history_(history), pools_(pools), known_{kDefaultPoolId} {
    std::ranges::copy_if(pools, std::inserter(known_, known_.end()), [](PoolId pool) {
        return !is_placeholder(pool);
    });
    mapped_.resize(history.regions.size());
    for (const StartRange& range : history.start) {
        region_grew(range.region, range.size);
    }
}

void PoolEvidence::region_grew(RegionId region, Bytes by) {
    if (is_placeholder(pools_[index_of(region)])) {
        unknown_.insert(pools_[index_of(region)]);
    }
    if (mapped_[index_of(region)] == Bytes{0} && history_.regions[index_of(region)].is_expandable) {
        note_expandable(region);
    }
    mapped_[index_of(region)] += by;
}

void PoolEvidence::note_expandable(RegionId region) {
    const Region& came = history_.regions[index_of(region)];
    for (const RegionId each : expandable_) {
        const Region& other = history_.regions[index_of(each)];
        if (other.stream == came.stream && other.kind == came.kind) {
            add(pools_[index_of(region)], pools_[index_of(each)]);
        }
    }
    expandable_.insert(region);
}

void PoolEvidence::region_shrank(RegionId region, Bytes by) {
    mapped_[index_of(region)] -= by;
    if (mapped_[index_of(region)] == Bytes{0}) {
        unknown_.erase(pools_[index_of(region)]);
        expandable_.erase(region);
    }
}

void PoolEvidence::add(PoolId one, PoolId other) {
    if (one != other && (is_placeholder(one) || is_placeholder(other)) &&
        different_[one].size() < kMostCompared && different_[other].size() < kMostCompared) {
        different_[one].insert(other);
        different_[other].insert(one);
    }
}

void PoolEvidence::note_request(const SimulatedHistory& simulated,
                                Bytes requested,
                                StreamId stream,
                                RegionId region,
                                bool is_new) {
    const auto [before, is_first] = last_served_.try_emplace(stream, region);
    if (!is_first) {
        ++followed_[{before->second, region}];
        before->second = region;
    }
    const PoolId own = pools_[index_of(region)];
    const BlockArena& blocks = simulated.state().blocks;
    const BlockId taken = is_new ? kNoBlock : simulated.candidate(requested, stream, own);
    const auto compare = [&](PoolId other) {
        const BlockId passed =
            other == own ? kNoBlock : simulated.candidate(requested, stream, other);
        if (passed == kNoBlock) {
            return;
        }
        const auto rank = [&](BlockId id) {
            return std::pair(blocks[id].size, blocks[id].address);
        };
        const bool is_better = taken == kNoBlock || rank(passed) < rank(taken);
        if (is_better) {
            add(own, other);
        }
    };
    for_each_compared(unknown_, compare);
    if (is_placeholder(own)) {
        std::ranges::for_each(known_, compare);
    }
}

void PoolEvidence::note_release(const SimulatedHistory& simulated,
                                const std::set<Address>& released) {
    std::set<PoolId> gone;
    std::set<PoolId> stayed;
    const auto look_at = [&](PoolId pool) {
        for (const Address address : simulated.releasable(pool)) {
            (released.contains(address) ? gone : stayed).insert(pool);
        }
    };
    std::ranges::for_each(known_, look_at);
    for_each_compared(unknown_, look_at);
    const bool is_whole =
        std::ranges::none_of(gone, [&stayed](PoolId pool) { return stayed.contains(pool); });
    if (!is_whole) {
        return;
    }
    for (const PoolId one : gone) {
        for (const PoolId other : stayed) {
            add(one, other);
        }
    }
}

bool PoolEvidence::differs(PoolId pool, PoolId own, const std::vector<PoolId>& solved) const {
    const auto found = different_.find(own);
    return found != different_.end() && std::ranges::any_of(found->second, [&](PoolId other) {
               return (is_placeholder(other) ? solved[other.second] : other) == pool;
           });
}

// By region: how often the request before, or after, on the same stream was of each pool. Captures
// are long runs of requests of one pool.
std::vector<PoolEvidence::Votes> PoolEvidence::votes(const std::vector<PoolId>& solved) const {
    std::vector<Votes> votes(solved.size());
    for (const auto& [regions, count] : followed_) {
        const auto& [before, after] = regions;
        votes[index_of(after)][solved[index_of(before)]] += count;
        votes[index_of(before)][solved[index_of(after)]] += count;
    }
    return votes;
}

// The pool with the most votes that nothing speaks against, the default pool first.
std::optional<PoolId> PoolEvidence::best(std::size_t region,
                                         const Votes& votes,
                                         const std::vector<PoolId>& choices,
                                         const std::vector<PoolId>& solved) const {
    std::optional<PoolId> best;
    std::size_t most = 0;
    for (const PoolId pool : choices) {
        const auto found = votes.find(pool);
        const std::size_t count = found == votes.end() ? 0 : found->second;
        if ((!best || count > most) && !differs(pool, pools_[region], solved)) {
            best = pool;
            most = count;
        }
    }
    return best;
}

std::vector<PoolId> PoolEvidence::solve() const {
    std::vector<PoolId> solved = pools_;
    std::vector<PoolId> choices(known_.begin(), known_.end());
    std::uint64_t inferred = 0;
    // First those that cannot be of the default pool, then the others, with what that tells.
    for (const bool must_be_private : {true, false}) {
        const std::vector<Votes> all_votes = votes(solved);
        for (std::size_t i = 0; i < solved.size(); ++i) {
            if (!is_placeholder(solved[i]) ||
                (must_be_private && !differs(kDefaultPoolId, pools_[i], solved))) {
                continue;
            }
            const auto found = best(i, all_votes[i], choices, solved);
            if (!found && inferred < kMostInferred) {
                choices.push_back({kInferredPools, inferred++});
            }
            solved[i] = found.value_or(choices.back());
        }
    }
    return solved;
}

}  // namespace highwater
