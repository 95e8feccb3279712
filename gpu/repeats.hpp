#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace highwater::gpu {

/// One measurement of several of the same point, in the form of one: each time is the median of
/// what it was. `measured.repeats` says how many there were, `measured.times` gives of each time
/// its smallest, median and largest value, and `measured.unsteady` the paths of all figures that
/// were not the same each time, addresses and driver memory included. `runs` is not empty.
nlohmann::ordered_json merged(const std::vector<nlohmann::ordered_json>& runs);

}  // namespace highwater::gpu
