#include "sim/snapshot/why/history_advice.hpp"

#include <algorithm>
#include <set>

#include "sim/core/error.hpp"
#include "sim/snapshot/stream_map.hpp"

namespace highwater {
namespace {

constexpr const char* kOneSideStream = "side=one";

// A run that is out of memory before its end does not show what the history needs.
WhatIf without_limit(const Snapshot& snapshot, const Replay& replay, Changes changes) {
    changes.capacity.reset();
    return what_if(snapshot, replay, changes);
}

ReservedOutcome outcome_of(const Ledger& ledger) {
    const auto& reserved = ledger.result.reserved_bytes.all;
    return {Bytes{reserved.peak}, Bytes{reserved.current}};
}

std::size_t side_streams(const Snapshot& snapshot, const RecordedHistory& recorded) {
    try {
        const std::vector<StreamId> merged =
            stream_map(kOneSideStream, snapshot, recorded, {}, "--map-streams").at_start;
        const std::set<StreamId> different(merged.begin(), merged.end());
        return merged.size() - different.size() + 1;
    } catch (const InputError&) {
        return 0;  // There are none.
    }
}

RemedyFacts facts_of(const Snapshot& snapshot,
                     const Replay& replay,
                     const WhatIf& base,
                     const Changes& changes) {
    RemedyFacts facts;
    facts.conf = base.settings.conf;
    facts.side_streams = changes.map_streams.empty() ? side_streams(snapshot, replay.recorded) : 0;
    std::set<PoolId> pools;
    for (const FoundCapture& capture : base.captures) {
        pools.insert(capture.pool);
    }
    facts.private_pools = changes.pools ? 0 : pools.size();
    facts.has_waiting_frees = !changes.drop_record_stream &&
                              std::ranges::any_of(replay.recorded.requests, &Request::waits);
    return facts;
}

}  // namespace

Changes with_remedy(Changes changes, const Remedy& remedy) {
    if (remedy.conf) {
        changes.conf = remedy.conf;
    }
    if (remedy.shares_side_stream) {
        changes.map_streams = kOneSideStream;
    }
    if (remedy.shares_pool) {
        changes.pools = PoolChange::kShared;
    }
    changes.drop_record_stream |= remedy.drops_record_stream;
    return changes;
}

HistoryAdvice history_advice(const Snapshot& snapshot,
                             const Replay& replay,
                             const Changes& changes,
                             const WhatIf& played) {
    const bool fits = !played.ledger.failure;
    const WhatIf base = fits ? played : without_limit(snapshot, replay, changes);
    const RemedyFacts facts = facts_of(snapshot, replay, base, changes);
    HistoryAdvice advice;
    advice.fits = fits;
    const auto run = [&](const Remedy& remedy) -> std::optional<ReservedOutcome> {
        ++advice.runs;
        try {
            const WhatIf tried = what_if(snapshot, replay, with_remedy(changes, remedy));
            return tried.ledger.failure ? std::nullopt : std::optional(outcome_of(tried.ledger));
        } catch (const InputError&) {
            return std::nullopt;  // Not for this history, or not in this release.
        }
    };
    advice.each = advise(outcome_of(base.ledger), possible_remedies(facts), run);
    if (!advice.each.empty()) {
        advice.together = best_together(outcome_of(base.ledger), advice.each, facts.conf, run);
    }
    return advice;
}

}  // namespace highwater
