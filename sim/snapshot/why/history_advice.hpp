#pragma once

#include <optional>
#include <vector>

#include "sim/snapshot/what_if.hpp"
#include "sim/snapshot/why/advise.hpp"

namespace highwater {

/// What would have saved memory of a history: each a what-if that was run.
struct HistoryAdvice {
    /// Most saved first.
    std::vector<Advice> each;
    /// Some of them at once, if that saves more than the first.
    std::optional<Advice> together;
    /// Whether the history fits into the capacity without any advice.
    bool fits = true;
    /// How many what-ifs were run.
    std::size_t runs = 0;
};

/// What would save memory beside `changes`, which are in force already; with a capacity, only what
/// fits into it. `played` is what came of the changes.
HistoryAdvice history_advice(const Snapshot& snapshot,
                             const Replay& replay,
                             const Changes& changes,
                             const WhatIf& played);

/// The changes with the remedy.
Changes with_remedy(Changes changes, const Remedy& remedy);

}  // namespace highwater
