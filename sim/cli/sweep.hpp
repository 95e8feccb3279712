#pragma once

#include <string>
#include <vector>

#include "sim/scenario/parameters.hpp"
#include "sim/scenario/scenario.hpp"

namespace highwater {

/// A parameter and the values it takes in turn.
struct SweptParameter {
    std::string name;
    std::vector<std::string> values;
    friend bool operator==(const SweptParameter&, const SweptParameter&) = default;
};

/// `--sweep name=1,2,4`, or `--sweep name` for all its choices. Throws `InputError`.
SweptParameter parse_swept(const Scenario& scenario, const std::string& text);

/// The overrides of every point: all combinations, the last parameter changing fastest, each after
/// the `fixed` ones. Throws `InputError` if there are too many.
std::vector<std::vector<Override>> points_of(const std::vector<SweptParameter>& swept,
                                             const std::vector<Override>& fixed);

}  // namespace highwater
