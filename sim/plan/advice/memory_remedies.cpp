// Settings of the allocator, workspaces, and memory given back between phases.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "sim/plan/advice/remedy_kinds.hpp"
#include "sim/plan/advice/scenario_edits.hpp"
#include "sim/snapshot/why/advise.hpp"

namespace highwater::plan {
namespace {

constexpr const char* kExpandable = "expandable_segments";
constexpr const char* kSplitLimit = "max_split_size_mb";

// None if the caching allocator has the memory.
std::string why_no_settings(const Scenario& scenario, const Program& program) {
    if (scenario.machine.conf.text.find("cudaMallocAsync") != std::string::npos) {
        return "the driver's pools know no such setting";
    }
    return program.machine.caching ? "" : "PyTorch caches nothing";
}

void set_option(Scenario& scenario, const char* key, const std::string& value) {
    scenario.machine.conf = made_up(with_option(scenario.machine.conf.text, key, value));
    for (step::SetAllocator* step : steps_of_kind<step::SetAllocator>(scenario)) {
        step->conf = made_up(with_option(step->conf.text, key, value));
    }
}

PlanRemedy option_remedy(const RunScenario& run, const char* key, const std::string& value) {
    const std::string option = fmt::format("{}:{}", key, value);
    return {fmt::format("set {}", option),
            fmt::format("PYTORCH_CUDA_ALLOC_CONF={}",
                        with_option(run.scenario.machine.conf.text, key, value)),
            key,
            [key, value](Scenario& scenario) { set_option(scenario, key, value); }};
}

bool is_in_force(const Scenario& scenario, const char* key, std::string_view value) {
    return scenario.machine.conf.text.find(fmt::format("{}:{}", key, value)) != std::string::npos;
}

bool is_capture(const StepKind& kind) {
    return std::holds_alternative<step::CaptureBuckets>(kind) ||
           std::holds_alternative<step::Capture>(kind);
}

Step setting(const char* value) {
    return {
        {"--advise"}, step::SetAllocator{made_up(fmt::format("{}:{}", kExpandable, value))}, {}};
}

void expand_in_captures(Scenario& scenario) {
    for_each_list(scenario, [](StepList& steps) {
        StepList with;
        for (Step& step : steps) {
            const bool wraps = is_capture(step.kind);
            if (wraps) {
                with.push_back(setting("True"));
            }
            with.push_back(std::move(step));
            if (wraps) {
                with.push_back(setting("False"));
            }
        }
        steps = std::move(with);
    });
}

bool has_captures(const Program& program) {
    return std::ranges::any_of(
        program.ops, [](const Op& each) { return std::holds_alternative<op::BeginCapture>(each); });
}

/// With CUBLAS_WORKSPACE_CONFIG=:4096:2:16:8 (PyTorch's own before SM 9.0): 2 x 4096 + 8 x 16 KiB.
constexpr const char* kSmallCublas = "8519680";
constexpr const char* kSmallCublasConf = "CUBLAS_WORKSPACE_CONFIG=:4096:2:16:8";

bool is_cublas(const Workspace& form) {
    return form.name.text.find("blas") != std::string::npos;
}

Workspace& workspace(Scenario& scenario, const std::string& name) {
    return *std::ranges::find_if(scenario.workspaces,
                                 [&](const Workspace& each) { return each.name.text == name; });
}

void add_scoped(const Workspace& form, PlanRemedies& to) {
    const std::string text =
        fmt::format("give the workspace `{}` back after each call", form.name.text);
    if (form.scoped) {
        to.left_out.push_back({text, "it is given back"});
        return;
    }
    to.possible.push_back(
        {text,
         change_at(
             form.name.place,
             fmt::format("{}: {{size: {}, scoped: true}}", form.name.text, form.size.source.text)),
         "scope of " + form.name.text,
         [name = form.name.text](Scenario& each) { workspace(each, name).scoped = true; }});
}

void add_smaller(const Workspace& form, PlanRemedies& to) {
    const bool is_known = is_cublas(form);
    const std::string smaller =
        is_known ? fmt::format("min({}, {})", form.size.source.text, kSmallCublas)
                 : fmt::format("({}) // 2", form.size.source.text);
    to.possible.push_back(
        {is_known
             ? fmt::format("limit the workspace `{}` to {} bytes", form.name.text, kSmallCublas)
             : fmt::format("halve the workspace `{}`, if its library works with that",
                           form.name.text),
         is_known
             ? kSmallCublasConf
             : change_at(form.size.source.place, fmt::format("{}: {}", form.name.text, smaller)),
         "size of " + form.name.text,
         [name = form.name.text, smaller](Scenario& each) {
             workspace(each, name).size = made_up_formula(smaller);
         },
         !is_known});
}

bool begins_phase(const StepKind& kind) {
    return std::holds_alternative<step::Forward>(kind) ||
           std::holds_alternative<step::CaptureBuckets>(kind) ||
           std::holds_alternative<step::ReplayBuckets>(kind) ||
           std::holds_alternative<step::Serve>(kind) || std::holds_alternative<step::KvCache>(kind);
}

// At the top: within loops and captures it would be another thing.
void empty_between(Scenario& scenario) {
    StepList with;
    for (Step& step : scenario.steps) {
        if (begins_phase(step.kind)) {
            with.push_back({{"--advise"}, step::EmptyCache{}, {}});
        }
        const bool ends = std::holds_alternative<step::Checkpoint>(step.kind);
        with.push_back(std::move(step));
        if (ends) {
            with.push_back({{"--advise"}, step::EmptyCache{}, {}});
        }
    }
    scenario.steps = std::move(with);
}

}  // namespace

void add_expandable_segments(const RunScenario& run, PlanRemedies& to) {
    const std::string within = "expandable segments while capturing only";
    const std::string why = why_no_settings(run.scenario, run.lowered.program);
    const bool has = is_in_force(run.scenario, kExpandable, "True");
    if (has || !why.empty()) {
        const std::string reason = has ? "it is set" : why;
        to.left_out.push_back({fmt::format("set {}:True", kExpandable), reason});
        to.left_out.push_back({within, reason});
        return;
    }
    to.possible.push_back(option_remedy(run, kExpandable, "True"));
    if (!has_captures(run.lowered.program)) {
        to.left_out.push_back({within, "it captures nothing"});
        return;
    }
    to.possible.push_back(
        {within,
         fmt::format("`set_allocator: \"{}:True\"` before the captures, False behind them",
                     kExpandable),
         kExpandable,
         expand_in_captures});
}

void add_split_limits(const RunScenario& run, PlanRemedies& to) {
    constexpr std::array kLimits{"32", "64", "128", "256", "512"};
    const std::string why = why_no_settings(run.scenario, run.lowered.program);
    for (const char* limit : kLimits) {
        PlanRemedy remedy = option_remedy(run, kSplitLimit, limit);
        if (const bool has = is_in_force(run.scenario, kSplitLimit, limit); has || !why.empty()) {
            to.left_out.push_back({remedy.text, has ? "it is set" : why});
        } else {
            to.possible.push_back(std::move(remedy));
        }
    }
}

void add_workspaces(const RunScenario& run, PlanRemedies& to) {
    if (run.lowered.workspaces.empty()) {
        to.left_out.push_back({"limit the workspaces", "no library has any"});
        return;
    }
    for (const Workspace& form : run.scenario.workspaces) {
        add_scoped(form, to);
        add_smaller(form, to);
    }
}

void add_empty_cache(const RunScenario& run, PlanRemedies& to) {
    const std::string text = "empty the cache between phases";
    Scenario copy = run.scenario;
    empty_between(copy);
    if (copy.steps.size() == run.scenario.steps.size()) {
        to.left_out.push_back({text, "it has neither phases nor checkpoints"});
        return;
    }
    to.possible.push_back({text,
                           "`empty_cache` before each phase and behind each checkpoint",
                           "empty_cache",
                           empty_between});
}

}  // namespace highwater::plan
