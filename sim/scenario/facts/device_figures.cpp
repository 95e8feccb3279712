#include "sim/scenario/facts/device_figures.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr std::string_view kTotalMemory = "total_memory";
constexpr std::string_view kComputeCapability = "compute_capability";
constexpr std::string_view kMultiprocessors = "multiprocessors";

std::optional<Value> figure_of(const MachineForm& machine, std::string_view field) {
    if (field == kComputeCapability) {
        return machine.compute_capability ? std::optional<Value>(*machine.compute_capability)
                                          : std::nullopt;
    }
    if (field == kMultiprocessors) {
        return machine.multiprocessors ? std::optional<Value>(*machine.multiprocessors)
                                       : std::nullopt;
    }
    return std::nullopt;
}

Value as_value(Bytes bytes) {
    return static_cast<std::int64_t>(bytes.count);
}

}  // namespace

const std::vector<std::string>& device_figures() {
    static const std::vector<std::string> kFigures{
        std::string(kTotalMemory), std::string(kComputeCapability), std::string(kMultiprocessors)};
    return kFigures;
}

bool has_computed_memory(const MachineForm& machine) {
    return std::holds_alternative<Formula>(machine.total_memory);
}

void add_device_figures(const MachineForm& machine, ParameterValues& values) {
    for (const std::string& field : device_figures()) {
        if (std::optional<Value> figure = figure_of(machine, field)) {
            values.add_device_figure(field, *std::move(figure));
        }
    }
    if (const Bytes* bytes = std::get_if<Bytes>(&machine.total_memory)) {
        values.add_device_figure(std::string(kTotalMemory), as_value(*bytes));
    }
}

void add_computed_memory(const MachineForm& machine, ParameterValues& values) {
    if (const Formula* formula = std::get_if<Formula>(&machine.total_memory)) {
        values.add_device_figure(std::string(kTotalMemory),
                                 as_value(evaluate_size(*formula, values)));
    }
}

void require_device_figure(const Formula& formula,
                           const ExpressionNames::MemberUse& use,
                           const MachineForm& machine,
                           bool memory_is_known) {
    const std::string& field = use.field.name;
    const SourcePlace place = formula.source.at(use.field.offset);
    const std::vector<std::string>& known = device_figures();
    if (std::find(known.begin(), known.end(), field) == known.end()) {
        throw InputError(place,
                         fmt::format("unknown figure `{}` of the device", quoted(field)),
                         suggestion(field, known, ""));
    }
    if (field == kTotalMemory) {
        if (has_computed_memory(machine) && !memory_is_known) {
            throw InputError(place,
                             "the device's total memory follows from the parameters",
                             "give `device` a size without parameters, or leave this out here");
        }
    } else if (!figure_of(machine, field)) {
        throw InputError(place,
                         fmt::format("this device has no `{}`", field),
                         fmt::format("write `device: {{{}: ..., total_memory: ...}}`, or name a "
                                     "device",
                                     field));
    }
}

}  // namespace highwater
