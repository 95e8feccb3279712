#include "sim/scenario/text/presets.hpp"

#include "sim/core/check.hpp"

namespace highwater {
namespace {

constexpr std::string_view kDevices = "devices";
constexpr std::string_view kCostProfiles = "cost_profiles/";

// Facts are looked up by name; no scenario extends them.
bool is_fact(const Preset& preset) {
    return preset.name == kDevices || preset.name.starts_with(kCostProfiles);
}

}  // namespace

std::optional<std::string_view> find_preset(std::string_view name) {
    for (const Preset& preset : embedded_presets()) {
        if (preset.name == name && !is_fact(preset)) {
            return preset.text;
        }
    }
    return std::nullopt;
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const Preset& preset : embedded_presets()) {
        if (!is_fact(preset)) {
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

std::vector<Preset> cost_profile_presets() {
    std::vector<Preset> all;
    for (const Preset& preset : embedded_presets()) {
        if (preset.name.starts_with(kCostProfiles)) {
            all.push_back({preset.name.substr(kCostProfiles.size()), preset.text});
        }
    }
    return all;
}

}  // namespace highwater
