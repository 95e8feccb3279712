#include "sim/scenario/text/presets.hpp"

#include "sim/core/check.hpp"

namespace highwater {
namespace {

constexpr std::string_view kDevices = "devices";

}  // namespace

std::optional<std::string_view> find_preset(std::string_view name) {
    for (const Preset& preset : embedded_presets()) {
        if (preset.name == name && name != kDevices) {
            return preset.text;
        }
    }
    return std::nullopt;
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const Preset& preset : embedded_presets()) {
        if (preset.name != kDevices) {
            names.emplace_back(preset.name);
        }
    }
    return names;
}

std::string_view device_presets() {
    const Preset& first = embedded_presets().front();
    check(first.name == kDevices, "the devices are the first preset");
    return first.text;
}

}  // namespace highwater
