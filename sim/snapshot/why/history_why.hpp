#pragma once

#include <cstddef>
#include <optional>

#include "sim/snapshot/what_if.hpp"
#include "sim/snapshot/why/why.hpp"

namespace highwater {

/// Where a history's memory was just before the request that took its reserved memory to the most
/// it ever was, and at its end.
struct HistoryWhy {
    /// The file's event that the request led to; none if there was never more than at the start.
    std::optional<std::size_t> peak_event;
    /// `Why::request` is that request, if a pool grew for it.
    Why peak;
    Why end;
};

/// Plays the history under `changes` twice. Owners are frames of the file's call stacks. Throws
/// what `what_if` throws.
HistoryWhy history_why(const Snapshot& snapshot, const Replay& replay, const Changes& changes);

}  // namespace highwater
