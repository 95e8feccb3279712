#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/plan_answer.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"

namespace highwater {

/// Of `plan`: what asks for an engine's start-up or for the rule of thumb instead of a budget.
struct EngineOptions {
    std::string engine;
    std::string utilization;
    std::string mem_fraction_static;
    std::string free_gpu_memory_fraction;
    std::string max_tokens;
    bool no_graph_estimate = false;
    bool rule_of_thumb = false;
    std::vector<std::string> sweep;

    bool asks() const { return !engine.empty() || rule_of_thumb; }
};

void add_engine_options(CLI::App& command, EngineOptions& options);

/// Prints, or adds to `files` what `paths` names. Gives the exit status. Throws `InputError`.
int plan_engine_start(const Scenario& scenario,
                      const std::vector<Override>& overrides,
                      const EngineOptions& options,
                      const PlanFiles& paths);

/// Throws `InputError` if options of an engine stand without it, or of another one.
void require_engine(const EngineOptions& options);

}  // namespace highwater
