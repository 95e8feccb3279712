#include "sim/snapshot/pool_evidence.hpp"

#include <algorithm>
#include <map>

#include "sim/allocator/pools.hpp"
#include "sim/allocator/rounding.hpp"

namespace highwater {
namespace {

using allocator::BlockPoolId;

constexpr std::uint64_t kPlaceholders = std::uint64_t{1} << 33U;

bool is_placeholder(PoolId pool) {
    return pool.first == kPlaceholders;
}

std::optional<BlockPoolId> block_pool_of(const allocator::State& s, PoolId pool, bool small) {
    if (pool == kDefaultPoolId) {
        return small ? allocator::kDefaultSmallPool : allocator::kDefaultLargePool;
    }
    const auto found = s.private_pools.find(pool);
    if (found == s.private_pools.end()) {
        return std::nullopt;
    }
    return small ? found->second.small : found->second.large;
}

// The block that would serve the request if its pool were this one.
const Block* candidate(const allocator::State& s, Bytes requested, StreamId stream, PoolId pool) {
    const Bytes size = round_size(s.settings, requested);
    const auto at = block_pool_of(s, pool, uses_small_pool(size));
    if (!at) {
        return nullptr;
    }
    const BlockId found = allocator::find_cached_block(s, {requested, size, stream, *at});
    return found == kNoBlock ? nullptr : &s.blocks[found];
}

}  // namespace

std::vector<PoolId> with_placeholders(const History& history) {
    std::vector<PoolId> pools;
    for (std::size_t i = 0; i < history.regions.size(); ++i) {
        pools.push_back(history.regions[i].pool.value_or(PoolId{kPlaceholders, i}));
    }
    return pools;
}

PoolEvidence::PoolEvidence(const History& history, const std::vector<PoolId>& pools)
    : history_(history), pools_(pools), known_{kDefaultPoolId} {
    std::ranges::copy_if(pools, std::inserter(known_, known_.end()), [](PoolId pool) {
        return !is_placeholder(pool);
    });
    for (const StartRange& range : history.start) {
        region_came(range.region);
    }
}

void PoolEvidence::region_came(RegionId region) {
    if (is_placeholder(pools_[index_of(region)])) {
        unknown_.insert(pools_[index_of(region)]);
    }
}

void PoolEvidence::region_went(RegionId region) {
    unknown_.erase(pools_[index_of(region)]);
}

void PoolEvidence::add(PoolId one, PoolId other) {
    if (one != other && (is_placeholder(one) || is_placeholder(other))) {
        different_[one].insert(other);
        different_[other].insert(one);
    }
}

void PoolEvidence::note_request(const allocator::State& state,
                                Bytes requested,
                                StreamId stream,
                                RegionId region,
                                bool is_new) {
    const PoolId own = pools_[index_of(region)];
    const Block* taken = is_new ? nullptr : candidate(state, requested, stream, own);
    const auto compare = [&](PoolId other) {
        const Block* passed = other == own ? nullptr : candidate(state, requested, stream, other);
        if (passed == nullptr) {
            return;
        }
        const bool is_better = taken == nullptr || std::pair(passed->size, passed->address) <
                                                       std::pair(taken->size, taken->address);
        if (is_better) {
            add(own, other);
        }
    };
    std::ranges::for_each(unknown_, compare);
    if (is_placeholder(own)) {
        std::ranges::for_each(known_, compare);
    }
}

void PoolEvidence::note_release(const std::vector<RegionId>& released,
                                const std::vector<RegionId>& stayed) {
    std::set<PoolId> gone;
    for (const RegionId region : released) {
        gone.insert(pools_[index_of(region)]);
    }
    for (const RegionId region : stayed) {
        for (const PoolId pool : gone) {
            add(pools_[index_of(region)], pool);
        }
    }
}

bool PoolEvidence::differs(PoolId pool, PoolId own, const std::vector<PoolId>& solved) const {
    const auto found = different_.find(own);
    return found != different_.end() && std::ranges::any_of(found->second, [&](PoolId other) {
               return (is_placeholder(other) ? solved[other.second] : other) == pool;
           });
}

std::vector<PoolId> PoolEvidence::solve() const {
    std::vector<PoolId> solved = pools_;
    std::vector<PoolId> choices(known_.begin(), known_.end());
    std::uint64_t inferred = 0;
    for (std::size_t i = 0; i < solved.size(); ++i) {
        if (!is_placeholder(solved[i])) {
            continue;
        }
        const auto fits = std::ranges::find_if(
            choices, [&](PoolId pool) { return !differs(pool, pools_[i], solved); });
        if (fits == choices.end()) {
            choices.push_back({kInferredPools, inferred++});
            solved[i] = choices.back();
        } else {
            solved[i] = *fits;
        }
    }
    return solved;
}

}  // namespace highwater
