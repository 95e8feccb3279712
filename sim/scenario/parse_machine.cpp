#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/conf.hpp"
#include "sim/scenario/devices.hpp"
#include "sim/scenario/parse_parts.hpp"
#include "sim/scenario/suggestion.hpp"

namespace highwater::parse {
namespace {

constexpr std::string_view kDefaultDevice = "h200";
constexpr std::string_view kProfile = "torch-2.11";

Device known_device(const PlacedText& name) {
    if (const std::optional<Device> device = find_device(name.text)) {
        return *device;
    }
    throw InputError(name.place,
                     fmt::format("unknown device `{}`", quoted(name.text)),
                     fmt::format("write `{}`, or `device: {{total_memory: 80 GiB}}`",
                                 fmt::join(device_names(), "`, `")));
}

void read_device(const YamlReader& value, MachineForm& machine) {
    if (value.is_scalar()) {
        const Device device = known_device(value.scalar("a device"));
        machine.device = device.name;
        machine.total_memory = device.total_memory;
        return;
    }
    value.require_keys("a device", {"total_memory"});
    machine.device.clear();
    machine.total_memory = formula(value.require("total_memory", "the device"), "a size");
}

void read_allocator(const YamlReader& value, MachineForm& machine) {
    value.require_keys("the allocator", {"profile", "conf", "memory_fraction"});
    if (const auto profile = value.find("profile")) {
        const PlacedText& name = profile->scalar("an allocator's profile");
        if (name.text != kProfile) {
            throw InputError(name.place,
                             fmt::format("unknown allocator profile `{}`", quoted(name.text)),
                             fmt::format("known is `{}`", kProfile));
        }
    }
    if (const auto text = value.find("conf")) {
        machine.conf = conf(*text);
        check_conf(machine.conf);
    }
    machine.memory_fraction = optional_formula(value, "memory_fraction", "a number from 0 to 1");
}

}  // namespace

MachineForm machine(const YamlReader& scenario) {
    MachineForm machine;
    machine.device = kDefaultDevice;
    machine.total_memory = find_device(kDefaultDevice).value().total_memory;
    machine.profile = kProfile;
    if (const auto device = scenario.find("device")) {
        read_device(*device, machine);
    }
    if (const auto allocator = scenario.find("allocator")) {
        read_allocator(*allocator, machine);
    }
    return machine;
}

PlacedText conf(const YamlReader& value) {
    if (value.is_null()) {
        return {"", value.place(), false};
    }
    return value.scalar("the text of PYTORCH_CUDA_ALLOC_CONF");
}

}  // namespace highwater::parse
