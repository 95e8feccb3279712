#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gpu/point.hpp"

namespace highwater::gpu {

/// The JSON of `highwater run` with measured figures, and `measured` beside them. What is not
/// measured is null: hazards, what the card and each stream were busy with, critical paths.
nlohmann::ordered_json measurement_json(const Point& point, const Measurement& measurement);

}  // namespace highwater::gpu
