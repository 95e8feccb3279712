#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/bytes.hpp"

namespace highwater {

/// A card, as `scenarios/presets/devices.yaml` has it.
struct Device {
    std::string name;
    /// `cudaDeviceProp::totalGlobalMem`.
    Bytes total_memory;
    double compute_capability = 0;
    std::int64_t multiprocessors = 0;
    /// The profile of what the driver takes and how long things last (`cost_profiles.hpp`). Empty:
    /// not measured.
    std::string cost_profile;
};

std::optional<Device> find_device(std::string_view name);
std::vector<std::string> device_names();

}  // namespace highwater
