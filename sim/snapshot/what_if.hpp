#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/snapshot/captures_found.hpp"
#include "sim/snapshot/changes.hpp"
#include "sim/snapshot/history_observer.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// A history as it would have gone under other circumstances.
struct WhatIf {
    AllocatorSettings settings;
    /// As `Replay::ledger`. `failure` is where memory would run out, if it would; its `op` is the
    /// event of the file.
    Ledger ledger;
    /// The names of the streams that share each number of the ledger's.
    std::vector<std::vector<std::string>> streams;
    /// The first event at which other memory is taken or given back; none if there is none.
    std::optional<std::size_t> parts_at;
    /// The request after which most was reserved, counted as they are made, from 0; none if that
    /// was the start.
    std::optional<std::size_t> peak_request;
    std::vector<FoundCapture> captures;
    std::vector<std::string> notices;
};

/// Makes the requests of a history again, with some things changed. Where settings, streams or
/// pools change, what lived at the start is allocated anew under them first, in the order of its
/// addresses; what was free then is not there. `observer` looks on, if one is given. Throws
/// `InputError` for changes that make no sense for this history.
WhatIf what_if(const Snapshot& snapshot,
               const Replay& replay,
               const Changes& changes,
               HistoryObserver* observer = nullptr);

}  // namespace highwater
