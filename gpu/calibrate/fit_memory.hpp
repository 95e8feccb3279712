#pragma once

#include <optional>
#include <vector>

#include "gpu/calibrate/probes.hpp"
#include "sim/driver/memory_profile.hpp"

namespace highwater::gpu {

/// What streams take: `grown[n]` is how much more was in use with n + 1 streams. The formula's two
/// figures that come nearest to all readings, the middle ones of those that come equally near; the
/// error is what the furthest is off, and at least one step. None if the readings do not change.
std::optional<StreamMemory> fit_streams(const std::vector<Bytes>& grown, Bytes granularity);

/// Graphs that one process instantiated one after the other and kept, and how much more was in use
/// after each.
struct GraphSequence {
    std::vector<GraphForm> forms;
    std::vector<Bytes> grown;
};

/// The formula's five figures that come nearest to all readings. They are not unique: several sets
/// of them say the same of all graphs. The error has what 95 of 100 readings are off by. None if
/// the readings do not change.
std::optional<GraphExecCosts> fit_graphs(const std::vector<GraphSequence>& sequences,
                                         Bytes granularity);

/// What the formula says of the sequence.
std::vector<Bytes> predicted(const GraphExecCosts& costs,
                             Bytes granularity,
                             const std::vector<GraphForm>& forms);

}  // namespace highwater::gpu
