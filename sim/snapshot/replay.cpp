#include "sim/snapshot/replay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/snapshot/exact_replay.hpp"
#include "sim/snapshot/settings_of.hpp"

namespace highwater {
namespace {

RecordedHistory recorded_history(const Snapshot& snapshot) {
    RecordedHistory recorded{settings_of(snapshot), {}, HistoryStreams(snapshot), {}};
    recorded.history = history_of(snapshot, recorded.settings);
    recorded.requests = requests_of(snapshot, recorded.history);
    return recorded;
}

bool knows_all_pools(const History& history) {
    return std::ranges::all_of(history.regions,
                               [](const Region& region) { return region.pool.has_value(); });
}

std::vector<PoolId> inferred_pools(const Snapshot& snapshot, const RecordedHistory& recorded) {
    const std::vector<PoolId> placeholders = with_placeholders(recorded.history);
    PoolEvidence evidence(recorded.history, placeholders);
    ExactReplay replay(snapshot, recorded, placeholders);
    replay.set_evidence(&evidence);
    replay.run();
    return evidence.solve();
}

Replay replay_with(const Snapshot& snapshot,
                   const RecordedHistory& recorded,
                   const std::vector<PoolId>& pools) {
    ExactReplay exact(snapshot, recorded, pools);
    exact.run();
    Replay result{recorded, exact.departure(), exact.ledger(), recorded.history.notices};
    result.recorded.requests = exact.requests();
    for (std::size_t i = 0; i < pools.size(); ++i) {
        result.recorded.history.regions[i].pool = pools[i];
    }
    return result;
}

}  // namespace

std::map<PoolId, std::string> pool_names(const History& history) {
    std::map<PoolId, std::string> names;
    for (const Region& region : history.regions) {
        const PoolId pool = region.pool.value_or(kDefaultPoolId);
        if (pool.first == kInferredPools) {
            names[pool] = fmt::format("private {} (inferred)", pool.second + 1);
        } else if (pool != kDefaultPoolId) {
            names[pool] = fmt::format("private ({}, {})", pool.first, pool.second);
        }
    }
    return names;
}

Replay replay(const Snapshot& snapshot) {
    const RecordedHistory recorded = recorded_history(snapshot);
    const std::vector<PoolId> known = with_placeholders(recorded.history);
    if (knows_all_pools(recorded.history)) {
        return replay_with(snapshot, recorded, known);
    }
    return replay_with(snapshot, recorded, inferred_pools(snapshot, recorded));
}

}  // namespace highwater
