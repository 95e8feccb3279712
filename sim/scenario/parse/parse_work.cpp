// Steps that are work of the card or of the host beside kernels, and how long work takes.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/expression/expression_tokens.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::parse {

namespace {

// Which kinds of words and numbers a time is made of.
struct Words {
    bool has_time = false;
    bool has_size = false;
    /// A parameter, which may be in any unit, or a function.
    bool has_name = false;
    bool has_number = false;
};

Words words_of(const std::string& text) {
    Words words;
    for (const Token& token : tokenize(text)) {
        if (token.kind == Token::Kind::kLiteral) {
            words.has_number |= is_number(token.value) && as_real(token.value) != 0;
        } else if (token.kind == Token::Kind::kName) {
            const std::optional<Unit> unit = find_unit(token.text);
            words.has_time |= unit && unit->measures == Unit::Measures::kNanoseconds;
            words.has_size |= unit && unit->measures == Unit::Measures::kBytes;
            words.has_name |= !unit;
        }
    }
    return words;
}

std::string with_unit(const Formula& number) {
    const std::string text = quoted(number.source.text);
    return number.tree.nodes.size() == 1 ? fmt::format("{} us", text)
                                         : fmt::format("({}) * us", text);
}

// A bare number would be one of nanoseconds, which hardly anyone means.
Formula time(const YamlReader& value) {
    Formula made = formula(value, "a time");
    const Words words = words_of(made.source.text);
    if (words.has_size && !words.has_time) {
        throw InputError(
            made.source.place,
            fmt::format("`{}` is a size where a time should be", quoted(made.source.text)),
            "write it in `ns`, `us`, `ms` or `s`");
    }
    if (words.has_number && !words.has_time && !words.has_name) {
        throw InputError(made.source.place,
                         fmt::format("the time `{}` has no unit", quoted(made.source.text)),
                         fmt::format("write `{}`, or what it is", with_unit(made)));
    }
    return made;
}

std::optional<Formula> duration_in(const YamlReader& map) {
    const std::optional<YamlReader> duration = map.find("duration");
    return duration ? std::optional<Formula>(time(*duration)) : std::nullopt;
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
    return step::HostWork{time(argument)};
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
