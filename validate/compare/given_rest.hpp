#pragma once

#include <cstddef>
#include <optional>

#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"
#include "validate/compare/compare.hpp"

namespace highwater {

/// A tensor that takes what is left of the card: its size follows from the driver's memory, and all
/// that comes after follows from its size.
struct MeasuredRest {
    /// The allocation: an index into `Program::ops`.
    std::size_t op = 0;
    Bytes measured;
    /// A card of this size leaves as much beside the driver's predicted memory as the real one did
    /// beside its own. None if the driver's memory was not measured.
    std::optional<Bytes> card;
    /// The sizes beside each other, within the driver's stated error and a unit.
    ComparedFigure figure;
};

/// The first allocation of the rest from operation `from` on that both runs made: `predicted` is
/// the Program's run. What was measured is read off the checkpoint after it.
std::optional<MeasuredRest> measured_rest(const Program& program,
                                          const Ledger& predicted,
                                          const MeasuredRun& measured,
                                          std::size_t from);

/// Makes the Program's card that large; the process may take as much of it as before.
void fit_card(Program& program, Bytes card);

/// Makes the tensor one of the measured size.
void give_rest(Program& program, const MeasuredRest& rest);

}  // namespace highwater
