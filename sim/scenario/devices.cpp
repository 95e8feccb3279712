#include "sim/scenario/devices.hpp"

#include <algorithm>
#include <array>

namespace highwater {
namespace {

// As measured on the card itself: the data sheet's figure is larger.
constexpr std::array<Device, 1> kDevices{{
    {"h200", Bytes{150'109'880'320}},
}};

}  // namespace

std::optional<Device> find_device(std::string_view name) {
    const auto* const found =
        std::find_if(kDevices.begin(), kDevices.end(), [name](const Device& device) {
            return device.name == name;
        });
    return found == kDevices.end() ? std::nullopt : std::optional<Device>(*found);
}

std::vector<std::string> device_names() {
    std::vector<std::string> names;
    names.reserve(kDevices.size());
    for (const Device& device : kDevices) {
        names.emplace_back(device.name);
    }
    return names;
}

}  // namespace highwater
