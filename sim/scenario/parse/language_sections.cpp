#include "sim/scenario/facts/devices.hpp"
#include "sim/scenario/parse/language.hpp"

namespace highwater::language {
namespace {

using namespace form;

Form sizes() {
    return map_of(expression());
}

Form known_device() {
    static const std::vector<std::string> kNames = device_names();
    return words({kNames.begin(), kNames.end()});
}

Form sweep() {
    const Form values = list_of(text());
    const Form grid = map_of(any_of({values, words({"all"}), map_of(values)}));
    return any_of({grid, list_of(map_of(text()))});
}

}  // namespace

const MapForm& device() {
    static const MapForm kForm{
        "a device",
        {{"extends", known_device(), "A known card, whose figures hold unless given here."},
         {"total_memory", expression(), "Bytes of memory: `80 GiB`."},
         {"compute_capability", expression(), "As in `9.0`."},
         {"multiprocessors", expression(), "How many it has."}}};
    return kForm;
}

const MapForm& allocator() {
    static const MapForm kForm{
        "the allocator",
        {{"profile", words({"torch-2.11"}), "The allocator whose rules are simulated."},
         {"conf", any_of({text(), nothing()}), "The text of PYTORCH_CUDA_ALLOC_CONF."},
         {"memory_fraction", expression(), "Of the device's memory, from 0 to 1."},
         {"caching", expression(), "False under PYTORCH_NO_CUDA_MEMORY_CACHING."}}};
    return kForm;
}

const MapForm& parameter() {
    static const MapForm kForm{
        "a parameter",
        {{"default", expression(), "Its value unless `--set` or a sweep gives another."},
         {"type", words({"number", "integer", "boolean", "text"}), "What values it takes."},
         {"choices", list_of(text()), "All the values it takes."},
         {"min", expression(), "The least value."},
         {"max", expression(), "The greatest value."},
         {"unit", text(), "What its number counts: `MiB`."},
         {"description", text(), "What it is, for people."}}};
    return kForm;
}

const MapForm& stream() {
    static const MapForm kForm{
        "a stream",
        {{"count", expression(), "Makes `name[0]`, `name[1]`, ..."},
         {"priority", expression(), "0 or below; below is more urgent."},
         {"per", text(), "`layer`, `shared` or `none`: which one the name stands for in a layer."},
         {"when", expression(), "Where it is false, the name stands for the current stream."},
         {"blocking", expression(), "Made by `cudaStreamCreate`, not from PyTorch's pool."}}};
    return kForm;
}

const MapForm& buckets() {
    static const MapForm kForm{
        "buckets",
        {{"list",
          any_of({text(), list_of(expression())}),
          "A serving engine's list by its name, or the batch sizes themselves."},
         {"range", list_of(expression()), "`[first, last, step]`."},
         {"powers_of_two", list_of(expression()), "`[first, last]`."},
         {"min", expression(), "Leaves out what is below."},
         {"max", expression(), "The list's maximum."},
         {"order", text(), "`asc` or `desc`: the order in which they are gone through."}}};
    return kForm;
}

const MapForm& workspace() {
    static const MapForm kForm{
        "a workspace",
        {{"size", expression(), "Bytes."},
         {"per", words({"stream", "device"}), "One for each stream, or one for the device."},
         {"scoped", flag(), "Given back after each call, instead of never."}}};
    return kForm;
}

const MapForm& procedure() {
    static const MapForm kForm{"a procedure",
                               {{"parameters", list_of(name()), "Names that a call gives values."},
                                {"do", form::steps(), "Its steps."}}};
    return kForm;
}

const MapForm& template_form() {
    static const MapForm kForm{
        "a template",
        {{"in", some(name()), "Tensors that the caller gives."},
         {"out", some(name()), "Tensors that become the caller's."},
         {"parameters", list_of(name()), "Names that a use gives values."},
         {"values", map_of(expression()), "Names for expressions, each over those before it."},
         {"weights", sizes(), "Tensors that `load_weights` allocates for each use."},
         {"keep", some(name()), "Tensors kept until the template ends."},
         {"do", form::steps(), "Its steps."}}};
    return kForm;
}

const MapForm& tolerances() {
    static const MapForm kForm{
        "tolerances",
        {{"time", text(), "Of times, as a share of what was measured: `0.3`."},
         {"driver", text(), "Of the driver's memory at checkpoints: `64 MiB`."}}};
    return kForm;
}

// Other keys are measures.
const MapForm& expectation() {
    static const MapForm kForm{
        "an expectation",
        {{"with", map_of(text()), "Parameters, where they differ from the defaults."},
         {"within", expression(), "A relative error that is allowed; else it is exact."},
         {"note", text(), "Where the figures come from, for people."},
         {"out_of_memory", flag(), "The run ends out of memory."},
         {"pytorch_error", flag(), "The run ends with an error of PyTorch."},
         {"cuda_error", text(), "The run ends with this error of CUDA, by number: `904`."}}};
    return kForm;
}

namespace {

std::vector<KeyForm> keys_of_machine() {
    return {
        {"extends", some(text()), "A file, or a preset such as `models/llama-3-8b`, to build on."},
        {"scenario", text(), "Its name."},
        {"description", any_of({text(), nothing()}), "What it shows, for people."},
        {"device", any_of({known_device(), map(device())}), "The card."},
        {"cost_profile",
         text(),
         "How long things last: a profile's name, a file, or `none`; else the device's."},
        {"blocking_launches",
         expression(),
         "The host waits for each kernel: CUDA_LAUNCH_BLOCKING."},
        {"ranks", expression(), "How many processes run it, each on a card of its own."},
        {"allocator", map(allocator()), "PyTorch's allocator."}};
}

std::vector<KeyForm> keys_of_program() {
    return {
        {"parameters",
         map_of(any_of({expression(), map(parameter())})),
         "What a run may change, in the order in which defaults use each other."},
        {"streams",
         map_of(any_of({map(stream()), nothing()})),
         "In order of creation; each takes the next of PyTorch's pool."},
        {"buckets",
         map_of(any_of({map(buckets()), some(expression())})),
         "Lists of batch sizes by name."},
        {"workspaces",
         map_of(any_of({expression(), map(workspace())})),
         "What libraries keep for their calls, such as cuBLAS for each stream."},
        {"templates", map_of(map(template_form())), "Modules: steps with tensors of their own."},
        {"model", map(template_form()), "The template that the phases run."},
        {"procedures",
         map_of(any_of({form::steps(), map(procedure())})),
         "Steps to be called by name."},
        {"steps", form::steps(), "What the host does, in order."},
        {"phases", form::steps(), "The same, where a model is run."}};
}

std::vector<KeyForm> keys_of_results() {
    return {
        {"measures", map_of(expression()), "Figures to report: `after.reserved_bytes`."},
        {"sweep", sweep(), "Points to run at: lists of values, or `all`, by parameter."},
        {"expect",
         list_of(open_map(expectation(), expression())),
         "What measures must be: `{with: {mode: shared}, total_bytes: 60 MiB}`."},
        {"tolerances", map(tolerances()), "How far off a card may be in `highwater validate`."}};
}

}  // namespace

const MapForm& scenario() {
    static const MapForm kForm{"a scenario",
                               together({keys_of_machine(), keys_of_program(), keys_of_results()})};
    return kForm;
}

}  // namespace highwater::language
