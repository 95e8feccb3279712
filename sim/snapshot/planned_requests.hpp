#pragma once

#include <functional>
#include <vector>

#include "sim/snapshot/captures_found.hpp"
#include "sim/snapshot/changes.hpp"
#include "sim/snapshot/stream_map.hpp"

namespace highwater {

/// A history, and what a what-if changes in it.
struct HistoryChanges {
    const RecordedHistory& recorded;
    const std::vector<FoundCapture>& captures;
    const Changes& changes;
    const StreamMap& streams;
};

/// A request of a history as a what-if makes it.
struct PlannedRequest {
    Request request;
    /// Both of kAlloc.
    PoolId pool;
    StreamId stream{};
    /// Of kEmptyCache and kReleasePools: pools that nobody holds any more.
    std::vector<PoolId> given_up;
};

/// Makes the requests of the history, one after the other, with its pools, its streams, its
/// captures' order and its frees changed, and those for workspaces that more streams need, until
/// `make` says no. Throws `InputError` before the first where captures that cannot be told apart,
/// or that free each other's memory, are to change places.
void make_requests(const HistoryChanges& history,
                   const std::function<bool(const PlannedRequest&)>& make);

/// The pool of what lived at the start, under the changed pools.
PoolId planned_pool(PoolId recorded, const Changes& changes);

/// The one private pool of `PoolChange::kShared`, and, with the capture's number, those of
/// `kPerGraph`: no program can have them.
inline constexpr PoolId kSharedPool{std::uint64_t{1} << 34U, 0};

}  // namespace highwater
