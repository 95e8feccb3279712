#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/description/conf.hpp"
#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_names.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/facts/cost_profiles.hpp"
#include "sim/scenario/facts/devices.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/extends.hpp"
#include "sim/scenario/text/source_text.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::parse {
namespace {

constexpr std::string_view kDefaultDevice = "h200";
constexpr std::string_view kProfile = "torch-2.11";
constexpr std::string_view kNoProfile = "none";

Device known_device(const PlacedText& name) {
    if (const std::optional<Device> device = find_device(name.text)) {
        return *device;
    }
    throw InputError(name.place,
                     fmt::format("unknown device `{}`", quoted(name.text)),
                     fmt::format("write `{}`, or `device: {{total_memory: 80 GiB}}`",
                                 fmt::join(device_names(), "`, `")));
}

void take_device(const Device& device, MachineForm& machine) {
    machine.device = device.name;
    machine.total_memory = device.total_memory;
    machine.compute_capability = device.compute_capability;
    machine.multiprocessors = device.multiprocessors;
    machine.costs = find_cost_profile(device.cost_profile);
}

void take_no_device(MachineForm& machine) {
    machine.device.clear();
    machine.compute_capability.reset();
    machine.multiprocessors.reset();
    machine.costs.reset();
}

// A size that follows from no parameter is known before them.
std::variant<Bytes, Formula> total_memory(const YamlReader& value) {
    Formula size = formula(value, "a size");
    const ExpressionNames names = names_in(size.tree, false);
    const bool is_constant = names.members.empty() && names.functions.empty() &&
                             std::all_of(names.values.begin(),
                                         names.values.end(),
                                         [](const auto& use) { return unit_value(use.name); });
    if (is_constant) {
        return evaluate_size(size, ParameterValues());
    }
    return size;
}

Value number(const YamlReader& value) {
    const PlacedText& text = value.scalar("a number");
    Value read = literal(text);
    if (!is_number(read) || as_real(read) <= 0) {
        throw InputError(text.place,
                         fmt::format("`{}` where a number should be", quoted(text.text)),
                         "write a number above 0");
    }
    return read;
}

std::int64_t whole(const YamlReader& value) {
    if (const std::optional<std::int64_t> integer = whole_number(number(value))) {
        return *integer;
    }
    throw InputError(value.place(), "a real where an integer should be", "write an integer");
}

void read_device(const YamlReader& value, MachineForm& machine) {
    if (value.is_scalar()) {
        take_device(known_device(value.scalar("a device")), machine);
        return;
    }
    value.require_keys(language::device());
    const std::optional<YamlReader> base = value.find("extends");
    if (base) {
        take_device(known_device(base->scalar("a device")), machine);
    } else {
        take_no_device(machine);
    }
    if (const auto size = value.find("total_memory"); size || !base) {
        machine.total_memory = total_memory(value.require("total_memory", "the device"));
    }
    if (const auto capability = value.find("compute_capability")) {
        machine.compute_capability = as_real(number(*capability));
    }
    if (const auto multiprocessors = value.find("multiprocessors")) {
        machine.multiprocessors = whole(*multiprocessors);
    }
}

void read_allocator(const YamlReader& value, MachineForm& machine) {
    value.require_keys(language::allocator());
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
    machine.caching = optional_formula(value, "caching", "true or false");
}

// The text of a profile's file becomes one of the sources, for messages about it.
CostProfile cost_profile_of_file(const PlacedText& name,
                                 const FileReader& read_file,
                                 SourceFiles& sources) {
    const std::string path = path_from(name.place.file, name.text);
    std::string text;
    try {
        text = read_file(path);
    } catch (const InputError& error) {
        throw InputError(
            name.place, fmt::format("`{}`: {}", path, error.problem()), error.remedy());
    }
    sources.push_back({path,
                       normalised_source(text, path),
                       fmt::format("cost profile of {}:{}", name.place.file, name.place.line)});
    return naming_chains(sources, [&] { return parse_cost_profile(text, path, path); });
}

CostProfile known_cost_profile(const PlacedText& name) {
    if (std::optional<CostProfile> known = find_cost_profile(name.text)) {
        return *std::move(known);
    }
    std::vector<std::string> names = cost_profile_names();
    names.emplace_back(kNoProfile);
    throw InputError(name.place,
                     fmt::format("unknown cost profile `{}`", quoted(name.text)),
                     suggestion(name.text, names, "") + "; a file's name ends in `.yaml`");
}

void read_cost_profile(const YamlReader& value,
                       const FileReader& read_file,
                       SourceFiles& sources,
                       MachineForm& machine) {
    const PlacedText& name = value.scalar("a cost profile");
    const std::optional<CostProfile> of_device = std::exchange(machine.costs, std::nullopt);
    machine.wants_no_costs = name.text == kNoProfile;
    if (machine.wants_no_costs) {
        return;
    }
    machine.costs = names_a_file(name.text) ? cost_profile_of_file(name, read_file, sources)
                                            : known_cost_profile(name);
    machine.costs_are_of_another_card = !of_device || of_device->card != machine.costs->card;
}

}  // namespace

MachineForm machine(const YamlReader& scenario, const FileReader& read_file, SourceFiles& sources) {
    MachineForm machine;
    take_device(find_device(kDefaultDevice).value(), machine);
    machine.profile = kProfile;
    if (const auto device = scenario.find("device")) {
        device->attempt([&] { read_device(*device, machine); });
    }
    if (const auto allocator = scenario.find("allocator")) {
        allocator->attempt([&] { read_allocator(*allocator, machine); });
    }
    if (const auto profile = scenario.find("cost_profile")) {
        profile->attempt([&] { read_cost_profile(*profile, read_file, sources, machine); });
    }
    machine.blocking_launches = optional_formula(scenario, "blocking_launches", "true or false");
    machine.ranks = optional_formula(scenario, "ranks", "a count of processes");
    return machine;
}

PlacedText conf(const YamlReader& value) {
    if (value.is_null()) {
        return {"", value.place(), false};
    }
    return value.scalar("the text of PYTORCH_CUDA_ALLOC_CONF");
}

}  // namespace highwater::parse
