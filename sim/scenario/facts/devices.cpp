#include "sim/scenario/facts/devices.hpp"

#include <algorithm>

#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/presets.hpp"

namespace highwater {
namespace {

Value value_in(const YamlReader& map, std::string_view key) {
    return parse::literal(map.require(key, "the device").scalar("a number"));
}

Device device_of(const YamlReader::Entry& entry) {
    const YamlReader& map = entry.value;
    map.require_keys("a device",
                     {"total_memory", "compute_capability", "multiprocessors", "cost_profile"});
    const std::int64_t bytes = whole_number(value_in(map, "total_memory")).value();
    const std::optional<YamlReader> profile = map.find("cost_profile");
    return {entry.key.text,
            Bytes{static_cast<std::uint64_t>(bytes)},
            as_real(value_in(map, "compute_capability")),
            whole_number(value_in(map, "multiprocessors")).value(),
            profile ? profile->scalar("a profile's name").text : std::string()};
}

const std::vector<Device>& devices() {
    static const std::vector<Device> kDevices = [] {
        const YamlDocument document = parse_yaml(std::string(device_presets()), "preset devices");
        std::vector<Device> all;
        for (const auto& entry : YamlReader(document, document.root).entries("the devices")) {
            all.push_back(device_of(entry));
        }
        return all;
    }();
    return kDevices;
}

}  // namespace

std::optional<Device> find_device(std::string_view name) {
    const auto found = std::find_if(devices().begin(),
                                    devices().end(),
                                    [name](const Device& device) { return device.name == name; });
    return found == devices().end() ? std::nullopt : std::optional<Device>(*found);
}

std::vector<std::string> device_names() {
    std::vector<std::string> names;
    for (const Device& device : devices()) {
        names.push_back(device.name);
    }
    return names;
}

}  // namespace highwater
