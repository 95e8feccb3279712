#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cli/analyses.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/input.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/point.hpp"
#include "sim/cli/sweep.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/report/claim_table.hpp"
#include "sim/report/memory_csv.hpp"
#include "sim/report/perfetto_trace.hpp"
#include "sim/report/run_json.hpp"
#include "sim/report/run_tables.hpp"
#include "sim/report/sweep_report.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/result/claims.hpp"

namespace highwater {
namespace {

struct RunCommandOptions {
    std::string scenario;
    std::vector<std::string> set;
    std::vector<std::string> sweep;
    std::string json;
    std::string program;
    std::string csv;
    std::string memory;
    std::string snapshot;
    std::string trace;
    std::string dot;
    std::string graph;
    std::string lifetimes;
    std::string pool;
    bool bounds = false;
    bool strict = false;
    bool expect = false;
    std::size_t max_operations = LoweringLimits().max_operations;
};

LoweringLimits limits_of(const RunCommandOptions& options) {
    LoweringLimits limits;
    limits.max_operations = options.max_operations;
    return limits;
}

Noting noting_of(const RunCommandOptions& options) {
    return {
        !options.memory.empty(), !options.dot.empty(), options.bounds, !options.snapshot.empty()};
}

bool answers_no(const RunCommandOptions& options, const RunReport& run) {
    return run.ledger.failure.has_value() || (options.strict && !run.hazards.empty());
}

int report_once(const RunCommandOptions& options, const Point& point) {
    OutputFiles files(options.scenario);
    if (!options.json.empty()) {
        files.add("--json", options.json, run_json_text(point.report));
    }
    if (!options.program.empty()) {
        files.add("--program", options.program, to_text(point.program));
    }
    if (!options.csv.empty()) {
        files.add("--csv", options.csv, sweep_csv({{}, {point.report}}));
    }
    if (!options.memory.empty()) {
        files.add("--memory", options.memory, memory_csv(point.report.ledger));
    }
    if (!options.snapshot.empty()) {
        files.add("--snapshot", options.snapshot, snapshot_pickle(point));
    }
    if (!options.trace.empty()) {
        files.add("--trace", options.trace, [&point](const auto& sink) {
            write_perfetto_trace(point.program, point.costs, sink);
        });
    }
    if (!options.dot.empty()) {
        files.add("--dot", options.dot, graph_dot(point, options.graph));
    }
    if (!options.lifetimes.empty()) {
        files.add("--lifetimes", options.lifetimes, lifetimes_csv(point, options.pool));
    }
    files.write();
    const bool has_failed = point.report.ledger.failure.has_value();
    if (!files.uses_standard_output()) {
        print(run_tables(point.report));
    } else if (has_failed) {
        std::fputs(failure_text(point.report).c_str(), stderr);
    }
    return answers_no(options, point.report) ? kAnswerIsNo : kDone;
}

SweepReport sweep_over(const RunCommandOptions& options,
                       const Scenario& scenario,
                       const std::vector<SweepAxis>& axes,
                       const std::vector<Override>& fixed) {
    SweepReport sweep;
    sweep.swept = swept_parameters(axes);
    for (const SweepPoint& point : sweep_points(axes, fixed, {scenario.file})) {
        sweep.points.push_back(simulate(scenario, point, limits_of(options)).report);
    }
    return sweep;
}

int report_sweep(const RunCommandOptions& options, const SweepReport& sweep) {
    OutputFiles files(options.scenario);
    if (!options.json.empty()) {
        files.add("--json", options.json, sweep_json_text(sweep));
    }
    if (!options.csv.empty()) {
        files.add("--csv", options.csv, sweep_csv(sweep));
    }
    files.write();
    if (!files.uses_standard_output()) {
        print(sweep_text(sweep));
    }
    const bool any_no =
        std::any_of(sweep.points.begin(), sweep.points.end(), [&](const RunReport& point) {
            return answers_no(options, point);
        });
    return any_no ? kAnswerIsNo : kDone;
}

Scenario scenario_with_claims(const Input& input) {
    if (input.is_program) {
        throw InputError({input.name}, "a Program states no claims", "leave out `--expect`");
    }
    Scenario scenario = load_scenario(input.text, input.name, read_scenario_file);
    if (scenario.expectations.empty()) {
        throw InputError({input.name}, "the scenario states no claims", "add them under `expect`");
    }
    return scenario;
}

int run_expectations(const RunCommandOptions& options) {
    const Scenario scenario = scenario_with_claims(read_input(options.scenario));
    const std::vector<Claim> claims = claims_of(scenario, options.strict);
    print(fmt::format("{}\n\n{}", scenario.name, claims_text(claims)));
    const bool all_hold =
        std::all_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.holds; });
    return all_hold ? kDone : kAnswerIsNo;
}

void require_one_run(const RunCommandOptions& options, const std::vector<SweepAxis>& axes) {
    const char* const option = !options.program.empty()     ? "--program"
                               : !options.memory.empty()    ? "--memory"
                               : !options.snapshot.empty()  ? "--snapshot"
                               : !options.trace.empty()     ? "--trace"
                               : !options.dot.empty()       ? "--dot"
                               : !options.lifetimes.empty() ? "--lifetimes"
                               : options.bounds             ? "--bounds"
                                                            : nullptr;
    if (option != nullptr) {
        throw InputError({option},
                         "the scenario sweeps, and each of its points is another Program",
                         fmt::format("fix its parameters: `--set {}=...`",
                                     fmt::join(swept_parameters(axes), "=... --set ")));
    }
}

int run_input(const RunCommandOptions& options) {
    if (options.expect) {
        return run_expectations(options);
    }
    const Input input = read_input(options.scenario);
    require_parameters(input, "--set", !options.set.empty());
    require_parameters(input, "--sweep", !options.sweep.empty());
    if (input.is_program) {
        Program program = parse_program(input.text, input.name);
        const std::optional<CostProfile> costs = cost_profile_of(program, input.name);
        return report_once(options,
                           simulate(std::move(program), input.name, costs, noting_of(options)));
    }
    const Scenario scenario = load_scenario(input.text, input.name, read_scenario_file);
    const std::vector<Override> fixed = parse_overrides(options.set);
    const std::vector<SweepAxis> axes = asked_axes(options.sweep, scenario, fixed);
    if (axes.empty()) {
        return report_once(options,
                           simulate(scenario, fixed, limits_of(options), noting_of(options)));
    }
    require_one_run(options, axes);
    return report_sweep(options, sweep_over(options, scenario, axes, fixed));
}

constexpr const char* kRunExample =
    "Example: what PyTorch reserves with one side stream instead of one a layer\n"
    "  highwater run scenarios/aux_streams.yaml --set mode=shared --json run.json\n"
    "Example: all combinations of two parameters, one row each\n"
    "  highwater run scenarios/aux_streams.yaml --sweep mode --sweep layers=8,16,32\n"
    "Example: whether the figures under `expect` hold\n"
    "  highwater run scenarios/aux_streams.yaml --expect";

void add_parameters(CLI::App& command, RunCommandOptions& options) {
    // One value an option: what follows is the next option or the scenario.
    command.add_option("--set", options.set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command
        .add_option("--sweep",
                    options.sweep,
                    "Run with each value of a parameter: NAME=V1,V2,..., or NAME for all its "
                    "choices (repeatable)")
        ->allow_extra_args(false);
}

void add_files(CLI::App& command, RunCommandOptions& options) {
    const auto named = [](const std::string& path) {
        return std::string(path.empty() ? "name a file, or - for standard output" : "");
    };
    command.add_option("--json", options.json, "Write all figures to this file; - prints them")
        ->check(named);
    command.add_option("--csv", options.csv, "Write one line a run to this file; - prints them")
        ->check(named);
    command
        .add_option("--memory",
                    options.memory,
                    "Write each change of memory and its time to this file, as CSV; - prints them")
        ->check(named)
        ->excludes(command.get_option("--sweep"));
    command
        .add_option("--snapshot",
                    options.snapshot,
                    "Write a memory snapshot to this file, as PyTorch does: its viewer opens it; - "
                    "for standard output")
        ->check(named)
        ->excludes(command.get_option("--sweep"));
    command
        .add_option("--trace",
                    options.trace,
                    "Write threads, streams and memory over time to this file, as JSON that "
                    "ui.perfetto.dev and chrome://tracing open; - prints it")
        ->check(named)
        ->excludes(command.get_option("--sweep"));
    command
        .add_option(
            "--program", options.program, "Write what the host does to this file; - prints it")
        ->check(named)
        ->excludes(command.get_option("--sweep"));
}

void add_analyses(CLI::App& command, RunCommandOptions& options) {
    const auto named = [](const std::string& path) {
        return std::string(path.empty() ? "name a file, or - for standard output" : "");
    };
    command.add_flag("--strict", options.strict, "Exit with 1 if there is a hazard");
    CLI::Option* const sweep = command.get_option("--sweep");
    command
        .add_flag("--bounds",
                  options.bounds,
                  "Show what no allocator could have done without, pool by pool")
        ->excludes(sweep);
    CLI::Option* dot =
        command
            .add_option("--dot", options.dot, "Write a captured graph to this file, for Graphviz")
            ->check(named)
            ->excludes(sweep);
    command.add_option("--graph", options.graph, "Which graph; else the first")->needs(dot);
    CLI::Option* lifetimes = command
                                 .add_option("--lifetimes",
                                             options.lifetimes,
                                             "Write a pool's lifetimes to this file, as CSV that "
                                             "MiniMalloc reads")
                                 ->check(named)
                                 ->excludes(sweep);
    command.add_option("--pool", options.pool, "Which pool; else the one that reserved most")
        ->needs(lifetimes);
}

void add_expect(CLI::App& command, RunCommandOptions& options) {
    CLI::Option* expect = command.add_flag(
        "--expect", options.expect, "Run what the scenario expects, and say whether it holds");
    for (const char* other : {"--set",
                              "--sweep",
                              "--json",
                              "--csv",
                              "--memory",
                              "--snapshot",
                              "--trace",
                              "--program",
                              "--dot",
                              "--lifetimes",
                              "--bounds"}) {
        expect->excludes(command.get_option(other));
    }
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand("run", "Simulate a scenario");
    const auto options = std::make_shared<RunCommandOptions>();
    command->footer(kRunExample);
    command
        ->add_option("SCENARIO",
                     options->scenario,
                     "A scenario, or a Program's text; - reads standard input")
        ->required();
    add_parameters(*command, *options);
    add_files(*command, *options);
    add_analyses(*command, *options);
    add_expect(*command, *options);
    add_max_operations(*command, options->max_operations);
    command->callback([&chosen, options] { chosen = [options] { return run_input(*options); }; });
}

}  // namespace highwater
