// One side stream, one pool, outputs and what crosses between segments.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/plan/advice/remedy_kinds.hpp"
#include "sim/plan/advice/scenario_edits.hpp"

namespace highwater::plan {
namespace {

std::size_t streams_in(const StreamGroup& group, const Program& program) {
    const std::string prefix = group.name.text + "[";
    return static_cast<std::size_t>(std::ranges::count_if(
        program.streams, [&](const auto& each) { return each.name.starts_with(prefix); }));
}

std::string side_stream_change(const Scenario& scenario, const StreamGroup& group) {
    if (group.per) {
        return change_of(scenario, *group.per, "per", "shared");
    }
    const std::string& name = group.name.text;
    return change_at(group.name.place, fmt::format("{}: {{count: 1}}", name)) +
           fmt::format(", and `{}[0]` for all", name);
}

// Graphs without a pool of a name have one each.
std::size_t pools_of_captures(const Program& program) {
    std::set<PoolName> named;
    std::set<GraphId> alone;
    for (const Op& each : program.ops) {
        if (const auto* begin = std::get_if<op::BeginCapture>(&each)) {
            begin->pool ? void(named.insert(*begin->pool)) : void(alone.insert(begin->graph));
        }
    }
    return named.size() + alone.size();
}

constexpr const char* kOnePool = "graphs";

void share_pool(Scenario& scenario) {
    for (const CapturingPhase& phase : capturing_phases(scenario)) {
        phase.options->pool = made_up("shared");
        phase.options->pool_of.reset();
    }
    const std::vector<step::Capture*> written_out = steps_of_kind<step::Capture>(scenario);
    for (step::Capture* capture : written_out) {
        capture->pool = made_up_formula(kOnePool);
    }
    if (!written_out.empty()) {
        scenario.steps.insert(
            scenario.steps.begin(),
            Step{{"--advise"}, step::GraphPoolHandle{made_up_formula(kOnePool)}, {}});
    }
}

std::string one_pool_change(Scenario& copy, const RunScenario& run) {
    for (const CapturingPhase& phase : capturing_phases(copy, run.lowered.phases)) {
        if (phase.options->pool) {
            return change_of(run.scenario, *phase.options->pool, "pool", "shared");
        }
        if (phase.options->pool_of) {
            return change_at(phase.options->pool_of->source.place, "pool: shared");
        }
    }
    const std::vector<step::Capture*> written_out = steps_of_kind<step::Capture>(copy);
    return written_out.empty()
               ? "`pool: shared` for all captures"
               : change_at(written_out.front()->graph.source.place, "pool: graphs") +
                     ", made before by `graph_pool_handle: graphs`, for all captures";
}

bool has_fate(const step::CaptureOptions& options, const ParameterValues& values) {
    return options.output && word_of(options.output->policy, values) != "hold";
}

// The largest of what captures leave behind, which is not a library's.
Bytes largest_output(const Lowered& lowered) {
    Bytes largest;
    std::optional<op::Alloc> last;
    std::vector<op::Alloc> live;
    bool captures = false;
    for (const Op& each : lowered.program.ops) {
        if (std::holds_alternative<op::BeginCapture>(each)) {
            captures = true;
            live.clear();
        } else if (std::holds_alternative<op::EndCapture>(each)) {
            captures = false;
            largest = live.empty() ? largest : std::max(largest, live.back().size);
        } else if (const auto* made = std::get_if<op::Alloc>(&each); made != nullptr && captures) {
            if (std::ranges::find(lowered.workspaces, made->tensor) == lowered.workspaces.end()) {
                live.push_back(*made);
            }
        } else if (const auto* freed = std::get_if<op::Free>(&each)) {
            std::erase_if(live, [&](const auto& one) { return one.tensor == freed->tensor; });
        }
    }
    return largest;
}

constexpr const char* kStaticOutput = "static_output";

// Before the first phase that captures buckets.
void copy_outputs(Scenario& scenario, Bytes size) {
    for (const CapturingPhase& phase : capturing_phases(scenario)) {
        phase.options->output =
            step::Output{made_up("copy"), TensorName{made_up_formula(kStaticOutput), std::nullopt}};
    }
    step::Alloc alloc;
    alloc.tensors.push_back({TensorName{made_up_formula(kStaticOutput), std::nullopt},
                             made_up_formula(fmt::format("{} B", size.count))});
    scenario.steps.insert(scenario.steps.begin(), Step{{"--advise"}, std::move(alloc), {}});
}

std::string output_change(const RunScenario& run,
                          const CapturingPhase& phase,
                          const std::string& yaml,
                          const std::string& word) {
    const std::optional<step::Output>& output = phase.options->output;
    return output && (word != "copy" || output->to)
               ? change_of(run.scenario, output->policy, "output", word)
               : change_at(phase.place, fmt::format("output: {}", yaml));
}

}  // namespace

void add_side_stream(const RunScenario& run, PlanRemedies& to) {
    const std::string text = "use one side stream in place of one for each layer";
    std::set<std::string> groups;
    std::string change;
    for (const StreamGroup& group : run.scenario.streams) {
        if (group.count && streams_in(group, run.lowered.program) > 1) {
            groups.insert(group.name.text);
            change += (change.empty() ? "" : "; ") + side_stream_change(run.scenario, group);
        }
    }
    if (groups.empty()) {
        to.left_out.push_back({text, "no group of streams has more than one"});
        return;
    }
    const auto apply = [groups](Scenario& scenario) {
        for (StreamGroup& group : scenario.streams) {
            group.is_one |= groups.contains(group.name.text);
        }
    };
    to.possible.push_back({text, change, "streams", apply});
}

void add_one_pool(const RunScenario& run, PlanRemedies& to) {
    const std::string text = "capture all graphs into one pool";
    const std::size_t pools = pools_of_captures(run.lowered.program);
    if (pools < 2) {
        to.left_out.push_back({text, pools == 0 ? "it captures nothing" : "they have one"});
        return;
    }
    Scenario copy = run.scenario;
    to.possible.push_back({text, one_pool_change(copy, run), "pool", share_pool});
}

void add_outputs(const RunScenario& run, PlanRemedies& to) {
    const std::string drop = "let outputs go before the capture ends, as weak references do";
    const std::string copy = "copy outputs to one static buffer";
    Scenario scenario = run.scenario;
    const std::vector<CapturingPhase> phases = capturing_phases(scenario, run.lowered.phases);
    const auto given_up = [&](const auto& each) { return has_fate(*each.options, run.values); };
    const Bytes size = largest_output(run.lowered);
    if (phases.empty() || std::ranges::any_of(phases, given_up) || size == Bytes{}) {
        const std::string why = phases.empty()    ? "no phase captures buckets"
                                : size == Bytes{} ? "captures leave no outputs"
                                                  : "outputs are not held";
        to.left_out.push_back({drop, why});
        to.left_out.push_back({copy, why});
        return;
    }
    const auto apply_drop = [](Scenario& changed) {
        for (const CapturingPhase& phase : capturing_phases(changed)) {
            phase.options->output = step::Output{made_up("drop"), std::nullopt};
        }
    };
    to.possible.push_back(
        {drop, output_change(run, phases.front(), "drop", "drop"), "outputs", apply_drop});
    to.possible.push_back({fmt::format("{} of {} bytes", copy, size.count),
                           output_change(run, phases.front(), "{copy_to: static_output}", "copy"),
                           "outputs",
                           [size](Scenario& changed) { copy_outputs(changed, size); }});
}

void add_weak_references(const RunScenario& run, PlanRemedies& to) {
    const std::string text = "hold what crosses between segments by weak references";
    Scenario scenario = run.scenario;
    const auto apply = [](Scenario& changed) {
        for (const CapturingPhase& phase : capturing_phases(changed)) {
            if (phase.options->segments) {
                phase.options->segments = made_up("weak");
            }
        }
    };
    for (const CapturingPhase& phase : capturing_phases(scenario, run.lowered.phases)) {
        const std::optional<PlacedText>& segments = phase.options->segments;
        const std::string how = segments ? word_of(*segments, run.values) : "none";
        if (how == "strong" || how == "copy") {
            const std::string change = change_of(run.scenario, *segments, "segments", "weak");
            to.possible.push_back({text, change, "segments", apply});
            return;
        }
    }
    to.left_out.push_back({text, "no capture in segments holds anything else"});
}

}  // namespace highwater::plan
