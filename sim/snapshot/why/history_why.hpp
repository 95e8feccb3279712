#pragma once

#include <cstddef>
#include <optional>

#include "sim/snapshot/what_if.hpp"
#include "sim/snapshot/why/why.hpp"

namespace highwater {

/// Where a history's memory was just before the request that took its reserved memory to the most
/// it ever was, where memory ran out last, and at its end. Frees that wait, for events or for the
/// end of a capture, look alike in a file: `PoolWhy::waiting` has both, unless captures were found.
struct HistoryWhy {
    struct OutOfMemory {
        /// The file's event.
        std::size_t event = 0;
        /// `Why::request` is the one that failed.
        Why why;
    };
    /// The file's event that the request led to; none if there was never more than at the start.
    std::optional<std::size_t> peak_event;
    /// `Why::request` is that request, if a pool grew for it.
    Why peak;
    std::optional<OutOfMemory> out_of_memory;
    Why end;
};

/// Plays the history under `changes` once more; `played` is what came of them. Owners are frames of
/// the file's call stacks.
HistoryWhy history_why(const Snapshot& snapshot,
                       const Replay& replay,
                       const Changes& changes,
                       const WhatIf& played);

}  // namespace highwater
