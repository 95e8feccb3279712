#include "sim/cli/plan_engine.hpp"

#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.hpp"
#include "sim/cli/number_option.hpp"
#include "sim/cli/sweep.hpp"
#include "sim/core/error.hpp"
#include "sim/plan/engines/engine_plan.hpp"
#include "sim/plan/engines/rule_of_thumb.hpp"
#include "sim/report/plan/engine_text.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

using plan::Engine;

struct ShareOption {
    std::string name;
    const std::string& text;
    Engine engine;
};

std::vector<ShareOption> share_options(const EngineOptions& options) {
    return {{"--utilization", options.utilization, Engine::kVllm},
            {"--mem-fraction-static", options.mem_fraction_static, Engine::kSglang},
            {"--free-gpu-memory-fraction", options.free_gpu_memory_fraction, Engine::kTensorrtLlm}};
}

double share_from(const ShareOption& option) {
    char* end = nullptr;
    const double share = std::strtod(option.text.c_str(), &end);
    if (end == option.text.c_str() || *end != '\0' || !(share > 0 && share <= 1)) {
        throw InputError({option.name},
                         fmt::format("`{}` is no share of memory", quoted(option.text)),
                         "write a number above 0 and at most 1, as 0.9");
    }
    return share;
}

std::int64_t tokens_from(const std::string& text) {
    const std::optional<std::int64_t> tokens = whole_number(text);
    if (!tokens || *tokens < 1) {
        throw InputError({"--max-tokens"},
                         fmt::format("`{}` is no number of tokens", quoted(text)),
                         "write a whole number above 0");
    }
    return *tokens;
}

plan::EngineQuestion engine_question(const EngineOptions& options) {
    plan::EngineQuestion question{plan::engine_of(options.engine), {}, true, {}};
    for (const ShareOption& option : share_options(options)) {
        if (!option.text.empty()) {
            question.share = share_from(option);
        }
    }
    question.estimates_graphs = !options.no_graph_estimate;
    if (!options.max_tokens.empty()) {
        question.max_tokens = tokens_from(options.max_tokens);
    }
    return question;
}

void require_own(const std::string& option, Engine of, const EngineOptions& options) {
    if (options.engine.empty() || plan::engine_of(options.engine) != of) {
        throw InputError({option},
                         fmt::format("it is a setting of {}", name_of(of)),
                         fmt::format("name that engine: `--engine {}`", name_of(of)));
    }
}

std::vector<ThumbRow> thumb_rows(const EngineOptions& options,
                                 const Scenario& scenario,
                                 const std::vector<Override>& fixed) {
    const std::vector<SweepAxis> axes = asked_axes(options.sweep, scenario, fixed);
    const std::vector<std::string> names = swept_parameters(axes);
    std::vector<ThumbRow> rows;
    for (const SweepPoint& point : sweep_points(axes, fixed, {scenario.file})) {
        const ParameterValues values = resolve_parameters(scenario, point);
        ThumbRow row{{}, plan::thumb_rule(scenario, point)};
        for (const std::string& name : names) {
            row.parameters.push_back({name, *values.find(name)});
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

void add_engine_options(CLI::App& command, EngineOptions& options) {
    command.add_option("--engine",
                       options.engine,
                       "What the start-up of vllm, sglang or tensorrt-llm would compute, beside "
                       "what fits");
    command.add_option(
        "--utilization", options.utilization, "vLLM's gpu_memory_utilization; else 0.92");
    command.add_flag("--no-graph-estimate",
                     options.no_graph_estimate,
                     "vLLM without its estimate of graphs, as older releases");
    command.add_option("--mem-fraction-static",
                       options.mem_fraction_static,
                       "SGLang's mem_fraction_static; else by its reserve");
    command.add_option("--free-gpu-memory-fraction",
                       options.free_gpu_memory_fraction,
                       "TensorRT-LLM's share of what is left; else 0.9");
    command.add_option("--max-tokens", options.max_tokens, "TensorRT-LLM: no more tokens");
    command.add_flag("--rule-of-thumb",
                     options.rule_of_thumb,
                     "The pools of graphs as 1.3 times an eager peak, beside what they need");
    command
        .add_option("--sweep",
                    options.sweep,
                    "With --rule-of-thumb: NAME=V,V,... or NAME (repeatable); else the scenario's "
                    "own")
        ->allow_extra_args(false);
}

void require_engine(const EngineOptions& options) {
    for (const ShareOption& option : share_options(options)) {
        if (!option.text.empty()) {
            require_own(option.name, option.engine, options);
        }
    }
    if (options.no_graph_estimate) {
        require_own("--no-graph-estimate", Engine::kVllm, options);
    }
    if (!options.max_tokens.empty()) {
        require_own("--max-tokens", Engine::kTensorrtLlm, options);
    }
    if (options.rule_of_thumb && !options.engine.empty()) {
        throw InputError({"--rule-of-thumb"}, "--engine is another question", "ask one at a time");
    }
    if (!options.sweep.empty() && !options.rule_of_thumb) {
        throw InputError(
            {"--sweep"}, "a plan is of one point", "add --rule-of-thumb, or use --set");
    }
}

int plan_engine_start(const Scenario& scenario,
                      const std::vector<Override>& overrides,
                      const EngineOptions& options,
                      const PlanFiles& paths) {
    if (options.rule_of_thumb) {
        const std::vector<ThumbRow> rows = thumb_rows(options, scenario, overrides);
        write_answer(
            {thumb_json(rows, scenario.name), thumb_csv(rows), thumb_text(rows, scenario.name)},
            paths,
            OutputFiles(scenario.file));
        return kDone;
    }
    const plan::EnginePlan plan = plan::plan_engine(scenario, overrides, engine_question(options));
    write_answer(
        {engine_json(plan, scenario.name), engine_csv(plan), engine_text(plan, scenario.name)},
        paths,
        OutputFiles(scenario.file));
    return plan.fits() ? kDone : kAnswerIsNo;
}

}  // namespace highwater
