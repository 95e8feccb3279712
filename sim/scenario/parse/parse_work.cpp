// Steps that are work of the card or of the host beside kernels, and how long work takes.
#include <utility>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"

namespace highwater::parse {

namespace {

std::optional<Formula> duration_in(const YamlReader& map) {
    return optional_formula(map, "duration", "a time");
}

std::optional<TensorName> tensor_in(const YamlReader& map, std::string_view key) {
    const std::optional<YamlReader> tensor = map.find(key);
    return tensor ? std::optional<TensorName>(tensor_name(*tensor)) : std::nullopt;
}

StepKind memset(const YamlReader& /*step*/, const YamlReader& argument) {
    step::Memset made;
    if (!argument.is_map()) {
        made.tensor = tensor_name(argument);
        return made;
    }
    argument.require_keys(language::memset());
    made.tensor = tensor_name(argument.require("tensor", "`memset`"));
    made.stream = stream_in(argument);
    made.duration = duration_in(argument);
    return made;
}

StepKind copy(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::copy());
    step::Copy made;
    made.from = tensor_in(argument, "from");
    made.to = tensor_in(argument, "to");
    if (const auto kind = argument.find("kind")) {
        choice_of(*kind, {"host_to_device", "device_to_host", "device_to_device"});
        made.kind = kind->scalar("a kind");
    }
    made.size = optional_formula(argument, "size", "a size");
    made.stream = stream_in(argument);
    made.blocking = argument.flag("blocking", false);
    if (!made.from && !made.to && !(made.kind && made.size)) {
        throw InputError(argument.place(),
                         "a copy of nothing",
                         "say `from`, `to`, or both; or its `kind` and its `size`");
    }
    return made;
}

StepKind item(const YamlReader& /*step*/, const YamlReader& argument) {
    step::Item made;
    if (!argument.is_map()) {
        made.tensor = tensor_name(argument);
        return made;
    }
    argument.require_keys(language::tensor());
    made.tensor = tensor_name(argument.require("tensor", "`item`"));
    made.stream = stream_in(argument);
    return made;
}

StepKind host_function(const YamlReader& /*step*/, const YamlReader& argument) {
    step::HostFunction made;
    if (!argument.is_null()) {
        argument.require_keys(language::host_function());
        made.stream = stream_in(argument);
        made.duration = duration_in(argument);
    }
    return made;
}

StepKind host_work(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::HostWork{formula(argument, "a time")};
}

StepKind sync_event(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::SynchronizeEvent{reference(argument, "an event")};
}

StepKind query_event(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::QueryEvent{reference(argument, "an event")};
}

}  // namespace

std::vector<StepForm> forms_of_work() {
    return {
        {"memset", {}, memset},
        {"copy", {}, copy},
        {"item", {}, item},
        {"host_function", {}, host_function},
        {"host_work", {}, host_work},
        {"sync_event", {}, sync_event},
        {"query_event", {}, query_event},
    };
}

KernelCost kernel_cost(const YamlReader& map) {
    KernelCost cost;
    cost.duration = duration_in(map);
    cost.width = optional_formula(map, "width", "a share of the card");
    cost.flops = optional_formula(map, "flops", "a count of operations");
    cost.bytes = optional_formula(map, "bytes", "a size");
    const std::optional<YamlReader> dtype = map.find("dtype");
    if (dtype) {
        cost.dtype = dtype->scalar("a number type");
    }
    if (dtype && !cost.flops) {
        throw InputError(dtype->place(), "a `dtype` without `flops`", "add them, or remove it");
    }
    return cost;
}

}  // namespace highwater::parse
