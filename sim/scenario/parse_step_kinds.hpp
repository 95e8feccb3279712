#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/scenario/step.hpp"
#include "sim/scenario/yaml_reader.hpp"

namespace highwater::parse {

/// How one kind of step is written: `name: argument`, with `companions` beside it in the same map.
struct StepForm {
    std::string_view name;
    std::vector<std::string_view> companions;
    StepKind (*parse)(const YamlReader& step, const YamlReader& argument);
};

/// In the order in which they are tried: `call` may be a companion, so it comes last.
std::span<const StepForm> step_forms();

/// The steps under `do`, or the procedure under `call`, of a map that must have one of them.
StepList body(const YamlReader& map, std::string_view what);

step::Call call(const YamlReader& map, const YamlReader& argument);

// Steps that hold other steps.
StepKind loop_with_index(const YamlReader& step, const YamlReader& argument);
StepKind loop(const YamlReader& step, const YamlReader& argument);
StepKind choice(const YamlReader& step, const YamlReader& argument);
StepKind on_stream(const YamlReader& step, const YamlReader& argument);
StepKind capture(const YamlReader& step, const YamlReader& argument);
StepKind use_mem_pool(const YamlReader& step, const YamlReader& argument);

}  // namespace highwater::parse
