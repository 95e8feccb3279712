#include "sim/scenario/parse/parse_step_kinds.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"

namespace highwater::parse {
namespace {

// `record_event: e` or `record_event: {event: e, stream: s}`.
struct NameAndStream {
    Formula name;
    std::optional<Formula> stream;
};

NameAndStream name_and_stream(const YamlReader& value, const MapForm& form) {
    const std::string_view what = form.keys.front().name;
    if (!value.is_map()) {
        return {reference(value, fmt::format("a {}'s name", what)), std::nullopt};
    }
    value.require_keys(form);
    return {reference(value.require(what, "the step"), fmt::format("a {}'s name", what)),
            stream_in(value)};
}

void require_nothing(const YamlReader& value) {
    if (!value.is_null() && !(value.is_map() && value.entries("").empty())) {
        throw InputError(value.place(), "this step takes nothing", "write its name alone");
    }
}

StepKind alloc(const YamlReader& /*step*/, const YamlReader& argument) {
    step::Alloc made;
    for (const YamlReader::Entry& entry : argument.entries("a map of tensors and sizes")) {
        YamlReader::attempt(entry, [&] { made.tensors.push_back(allocation(entry)); });
    }
    return made;
}

StepKind free(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::Free{tensor_names(argument)};
}

StepKind kernel(const YamlReader& /*step*/, const YamlReader& argument) {
    step::Kernel made;
    if (argument.is_null()) {
        return made;
    }
    argument.require_keys(language::kernel());
    made.stream = stream_in(argument);
    if (const auto reads = argument.find("reads")) {
        made.reads = tensor_names(*reads);
    }
    if (const auto writes = argument.find("writes")) {
        made.writes = tensor_names(*writes);
    }
    made.cost = kernel_cost(argument);
    return made;
}

StepKind wait(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::wait());
    return step::WaitStream{stream_in(argument),
                            reference(argument.require("for", "the wait"), "a stream")};
}

StepKind record_event(const YamlReader& /*step*/, const YamlReader& argument) {
    auto [event, stream] = name_and_stream(argument, language::event());
    new_name({base_name(event), event.source.place, false}, "an event");
    return step::RecordEvent{std::move(event), std::move(stream)};
}

StepKind wait_event(const YamlReader& /*step*/, const YamlReader& argument) {
    auto [event, stream] = name_and_stream(argument, language::event());
    return step::WaitEvent{std::move(event), std::move(stream)};
}

StepKind record_stream(const YamlReader& /*step*/, const YamlReader& argument) {
    auto [tensor, stream] = name_and_stream(argument, language::tensor());
    return step::RecordStream{{std::move(tensor), std::nullopt}, std::move(stream)};
}

StepKind replay(const YamlReader& /*step*/, const YamlReader& argument) {
    if (argument.is_map() && argument.find("buckets")) {
        return replay_buckets(argument);
    }
    auto [graph, stream] = name_and_stream(argument, language::graph());
    return step::Replay{std::move(graph), std::move(stream)};
}

// `sync:`, `sync: all` or `sync: capture`.
StepKind sync(const YamlReader& /*step*/, const YamlReader& argument) {
    if (argument.is_null() || (argument.is_scalar() && argument.scalar("").text == "all")) {
        return step::Synchronize{};
    }
    return step::Synchronize{reference(argument, "a stream, or all")};
}

StepKind empty_cache(const YamlReader& /*step*/, const YamlReader& argument) {
    require_nothing(argument);
    return step::EmptyCache{};
}

StepKind reset_peaks(const YamlReader& /*step*/, const YamlReader& argument) {
    require_nothing(argument);
    return step::ResetPeaks{};
}

StepKind checkpoint(const YamlReader& /*step*/, const YamlReader& argument) {
    Formula name = reference(argument, "a checkpoint's name");
    new_name({base_name(name), name.source.place, false}, "a checkpoint");
    return step::Checkpoint{std::move(name)};
}

StepKind set_allocator(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::SetAllocator{conf(argument)};
}

StepKind hold(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::HoldStream{reference(argument, "a stream")};
}

StepKind release(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::ReleaseStream{reference(argument, "a stream")};
}

StepKind destroy_graph(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::DestroyGraph{reference(argument, "a graph")};
}

StepKind graph_pool_handle(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::GraphPoolHandle{reference(argument, "a pool")};
}

// `mem_pool: p` or `mem_pool: {pool: p, use_on_oom: true}`.
StepKind mem_pool(const YamlReader& /*step*/, const YamlReader& argument) {
    if (!argument.is_map()) {
        return step::CreateMemPool{reference(argument, "a pool's name")};
    }
    argument.require_keys(language::mem_pool());
    return step::CreateMemPool{reference(argument.require("pool", "`mem_pool`"), "a pool's name"),
                               argument.flag("use_on_oom", false),
                               argument.flag("no_split", false)};
}

StepKind destroy_mem_pool(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::DestroyMemPool{reference(argument, "a pool")};
}

StepKind save_pool(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::save_pool());
    return step::SavePool{reference(argument.require("pool", "`save_pool`"), "a pool"),
                          reference(argument.require("name", "`save_pool`"), "a name")};
}

StepKind restore_pool(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::RestorePool{reference(argument, "the name of a saved pool")};
}

StepKind call_alone(const YamlReader& step, const YamlReader& argument) {
    return call(step, argument);
}

std::vector<StepForm> forms_of_the_host() {
    return {
        {"alloc", {}, alloc},
        {"free", {}, free},
        {"kernel", {}, kernel},
        {"wait", {}, wait},
        {"record_event", {}, record_event},
        {"wait_event", {}, wait_event},
        {"record_stream", {}, record_stream},
        {"sync", {}, sync},
        {"empty_cache", {}, empty_cache},
        {"reset_peaks", {}, reset_peaks},
        {"checkpoint", {}, checkpoint},
        {"set_allocator", {}, set_allocator},
        {"hold", {}, hold},
        {"release", {}, release},
        {"for", {"do", "call", "with"}, loop_with_index},
        {"repeat", {"do", "call", "with"}, loop},
        {"if", {"then", "else"}, choice},
        {"on", {"do", "call", "with"}, on_stream},
        {"thread", {"do", "call", "with"}, on_thread},
        {"try", {"do", "call", "with"}, tried},
        {"capture", {}, capture},
        {"replay", {}, replay},
        {"destroy_graph", {}, destroy_graph},
        {"graph_pool_handle", {}, graph_pool_handle},
        {"mem_pool", {}, mem_pool},
        {"use_mem_pool", {}, use_mem_pool},
        {"destroy_mem_pool", {}, destroy_mem_pool},
        {"save_pool", {}, save_pool},
        {"restore_pool", {}, restore_pool},
    };
}

std::vector<StepForm> forms_of_models() {
    return {
        {"layers", {"do", "call", "with"}, layers},
        {"branch", {}, branch},
        {"join", {}, join},
        {"view", {}, view},
        {"weak_view", {}, weak_view},
        {"eager", {}, eager},
        {"load_weights", {}, load_weights},
        {"warm_up", {}, forward},
        {"forward", {}, forward},
        {"destroy_graphs", {}, destroy_graphs},
        {"serve", {}, serve},
        {"kv_cache", {}, kv_cache},
        {"call", {"with"}, call_alone},
    };
}

}  // namespace

std::optional<Formula> stream_in(const YamlReader& map) {
    const std::optional<YamlReader> stream = map.find("stream");
    return stream ? std::optional<Formula>(reference(*stream, "a stream")) : std::nullopt;
}

std::span<const StepForm> step_forms() {
    static const std::vector<StepForm> kForms = [] {
        std::vector<StepForm> all = forms_of_the_host();
        for (const std::vector<StepForm>& more :
             {forms_of_work(), forms_of_driver_memory(), forms_of_models()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return kForms;
}

}  // namespace highwater::parse
