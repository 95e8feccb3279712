// Steps that take memory of the driver, beside PyTorch's allocator.
#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"

namespace highwater::parse {
namespace {

constexpr std::string_view kWhat = "`driver_memory`";

// No figure stands without them.
void require_error_and_source(const auto& made, const YamlReader& argument) {
    if (made.error.has_value() == made.within.has_value()) {
        throw InputError(argument.place(),
                         made.error ? "an `error` and a `within`" : "a figure without its error",
                         "say by how many bytes it may be off (`error: 16 MiB`), or by which share "
                         "of it (`within: 0.15`)");
    }
    if (made.source.text.empty()) {
        throw InputError(
            made.source.place, "a figure without its source", "say where it comes from");
    }
}

StepKind driver_memory(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::driver_memory());
    const YamlReader kind = argument.require("kind", kWhat);
    choice_of(kind, {"library", "collective", "other"});
    const std::optional<YamlReader> stream = argument.find("stream");
    step::AddDriverMemory made{
        reference(argument.require("name", kWhat), "a name"),
        kind.scalar("a kind"),
        formula(argument.require("size", kWhat), "a size"),
        optional_formula(argument, "error", "a size"),
        optional_formula(argument, "within", "a share of the size"),
        argument.require("source", kWhat).scalar("a text"),
        stream ? std::optional<Formula>(reference(*stream, "a stream")) : std::nullopt};
    new_name({base_name(made.name), made.name.source.place, false}, "an owner");
    require_error_and_source(made, argument);
    return made;
}

StepKind free_driver_memory(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::RemoveDriverMemory{reference(argument, "the name of a `driver_memory`")};
}

StepKind communicator(const YamlReader& /*step*/, const YamlReader& argument) {
    constexpr std::string_view kCommunicator = "`communicator`";
    argument.require_keys(language::communicator());
    step::MakeCommunicator made{reference(argument.require("name", kCommunicator), "a name"),
                                formula(argument.require("size", kCommunicator), "a size"),
                                optional_formula(argument, "first_use", "a size"),
                                optional_formula(argument, "captured", "a size"),
                                optional_formula(argument, "error", "a size"),
                                optional_formula(argument, "within", "a share of the size"),
                                argument.require("source", kCommunicator).scalar("a text")};
    new_name({base_name(made.name), made.name.source.place, false}, "an owner");
    require_error_and_source(made, argument);
    return made;
}

StepKind collective(const YamlReader& /*step*/, const YamlReader& argument) {
    constexpr std::string_view kCollective = "`collective`";
    argument.require_keys(language::collective());
    return step::AllReduce{
        tensor_name(argument.require("all_reduce", kCollective)),
        reference(argument.require("communicator", kCollective), "the name of a `communicator`"),
        stream_in(argument),
        kernel_cost(argument)};
}

}  // namespace

std::vector<StepForm> forms_of_driver_memory() {
    return {
        {"driver_memory", {}, driver_memory},
        {"free_driver_memory", {}, free_driver_memory},
        {"communicator", {}, communicator},
        {"collective", {}, collective},
    };
}

}  // namespace highwater::parse
