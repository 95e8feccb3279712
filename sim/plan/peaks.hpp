#pragma once

#include <cstddef>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/plan/phase.hpp"

namespace highwater::plan {

/// What is in use on the card.
struct InUse {
    /// By PyTorch's allocator.
    Bytes reserved;
    /// Beside it.
    Bytes driver;
    Bytes total() const { return reserved + driver; }
    friend bool operator==(const InUse&, const InUse&) = default;
};

/// When most was in use in a phase.
struct PhasePeak {
    Phase phase;
    InUse most;
    /// The operation behind which that was: an index into `Program::ops`.
    std::size_t op = 0;
    /// What was in use at its end.
    InUse last;
    friend bool operator==(const PhasePeak&, const PhasePeak&) = default;
};

/// A run of what a scenario came to.
struct PlannedRun {
    Ledger ledger;
    /// Of the phases that were reached, in order. The last one is where a failure is.
    std::vector<PhasePeak> peaks;
};

/// Runs the Program. Without costs no time passes and the driver has what the Program names.
/// Throws `InputError` as `run` does.
PlannedRun run_phases(const Lowered& lowered, const CostProfile* costs);

/// The first out of memory that the run came by, if any: one that a `try` catches counts, too.
const Failure* lack_of_memory(const Ledger& ledger);

/// Whether the run came to its end, and had all memory that it asked for.
bool has_room(const Ledger& ledger);

/// The first of those with the most in use; `run` has at least one.
const PhasePeak& worst_of(const PlannedRun& run);

/// What the process may reserve: its memory fraction of the card.
Bytes allowed_on(const Machine& machine);

/// What PyTorch could still reserve.
Bytes left_of(Bytes capacity, Bytes allowed, const InUse& use);

/// What PyTorch could still have reserved when it had least to reserve: of the card, and of what
/// the process is allowed.
Bytes left_on(const Machine& machine, const PlannedRun& run);

}  // namespace highwater::plan
