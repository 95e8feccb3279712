#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/description/step.hpp"
#include "sim/scenario/text/yaml_reader.hpp"

namespace highwater::parse {

/// How one kind of step is written: `name: argument`, with `companions` beside it in the same map.
struct StepForm {
    std::string_view name;
    std::vector<std::string_view> companions;
    StepKind (*parse)(const YamlReader& step, const YamlReader& argument);
};

/// In the order in which they are tried: `call` may be a companion, so it comes last.
std::span<const StepForm> step_forms();

std::vector<std::string> names_of_steps();

/// The steps under `do`, or the procedure under `call`, of a map that must have one of them.
StepList body(const YamlReader& map, std::string_view what);

/// A step that is no word of the language: an operation or the use of a template. Nothing if it has
/// the form of neither.
std::optional<StepKind> op_or_template(const PlacedText& name, const YamlReader& value);

/// What stands under `stream`.
std::optional<Formula> stream_in(const YamlReader& map);

step::Call call(const YamlReader& map, const YamlReader& argument);

// Work of the card and of the host beside kernels.
std::vector<StepForm> forms_of_work();
// Memory beside PyTorch's allocator.
std::vector<StepForm> forms_of_driver_memory();

// Steps that hold other steps.
StepKind loop_with_index(const YamlReader& step, const YamlReader& argument);
StepKind loop(const YamlReader& step, const YamlReader& argument);
StepKind choice(const YamlReader& step, const YamlReader& argument);
StepKind on_thread(const YamlReader& step, const YamlReader& argument);
StepKind tried(const YamlReader& step, const YamlReader& argument);
StepKind on_stream(const YamlReader& step, const YamlReader& argument);
StepKind capture(const YamlReader& step, const YamlReader& argument);
StepKind use_mem_pool(const YamlReader& step, const YamlReader& argument);
StepKind branch(const YamlReader& step, const YamlReader& argument);
StepKind layers(const YamlReader& step, const YamlReader& argument);
StepKind eager(const YamlReader& step, const YamlReader& argument);

// Steps of templates.
StepKind view(const YamlReader& step, const YamlReader& argument);
StepKind weak_view(const YamlReader& step, const YamlReader& argument);
StepKind join(const YamlReader& step, const YamlReader& argument);

// Phases.
StepKind load_weights(const YamlReader& step, const YamlReader& argument);
StepKind forward(const YamlReader& step, const YamlReader& argument);
StepKind capture_buckets(const YamlReader& argument);
StepKind replay_buckets(const YamlReader& argument);
StepKind destroy_graphs(const YamlReader& step, const YamlReader& argument);
StepKind serve(const YamlReader& step, const YamlReader& argument);
StepKind kv_cache(const YamlReader& step, const YamlReader& argument);

}  // namespace highwater::parse
