#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/ledger.hpp"
#include "sim/snapshot/history.hpp"
#include "sim/snapshot/history_streams.hpp"
#include "sim/snapshot/requests.hpp"

namespace highwater {

/// What a file tells, made ready to be replayed.
struct RecordedHistory {
    AllocatorSettings settings;
    History history;
    HistoryStreams streams;
    RequestList requests;
    /// Pools whose blocks are never split, as the replay found out.
    std::vector<PoolId> no_split;
};

/// Where the rules and the file part.
struct ReplayDeparture {
    /// An index into the file's events, or their number for the segments at the end.
    std::size_t event = 0;
    std::string expected;
    std::string got;
    /// The most likely reason.
    std::string reason;
};

struct Replay {
    /// With every region's pool, and every release's kind, as far as the replay could tell.
    RecordedHistory recorded;
    /// None if every event and the segments at the end were met.
    std::optional<ReplayDeparture> departure;
    /// As far as the replay came. Checkpoints: start, peak (of reserved memory) and end.
    Ledger ledger;
    std::vector<std::string> notices;
};

/// Replays a file by the allocator's rules: exact if every event and every segment at the end comes
/// out. Throws `InputError` for settings that PyTorch refuses.
Replay replay(const Snapshot& snapshot);

/// The names of pools for people, by id.
std::map<PoolId, std::string> pool_names(const std::vector<PoolId>& pools);

}  // namespace highwater
