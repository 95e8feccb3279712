#pragma once

#include <string>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater {

/// A parameter and the values it takes in turn.
struct SweptParameter {
    std::string name;
    std::vector<std::string> values;
    friend bool operator==(const SweptParameter&, const SweptParameter&) = default;
};

/// `--sweep name=1,2,4`, or `--sweep name` for all its choices; those of a boolean are
/// false and true. Throws `InputError`, also for a value that is missing or there twice.
SweptParameter parse_swept(const Scenario& scenario, const std::string& text);

/// Throws `InputError` if a parameter is swept over twice, or also set.
void require_set_once(const std::vector<SweptParameter>& swept, const std::vector<Override>& fixed);

/// The same as the scenario's own sweeps.
std::vector<SweepAxis> axes_of(const std::vector<SweptParameter>& swept);

/// What `--sweep` says, each a text of it, or else the scenario itself.
std::vector<SweepAxis> asked_axes(const std::vector<std::string>& texts,
                                  const Scenario& scenario,
                                  const std::vector<Override>& fixed);

/// The overrides of every point: all combinations, the last parameter changing fastest, each after
/// the `fixed` ones. Throws `InputError` if there are too many.
std::vector<SweepPoint> points_of(const std::vector<SweptParameter>& swept,
                                  const std::vector<Override>& fixed);

}  // namespace highwater
