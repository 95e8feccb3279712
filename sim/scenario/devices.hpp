#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/bytes.hpp"

namespace highwater {

struct Device {
    std::string_view name;
    /// `cudaDeviceProp::totalGlobalMem`.
    Bytes total_memory;
};

std::optional<Device> find_device(std::string_view name);
std::vector<std::string> device_names();

}  // namespace highwater
