#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "sim/cli/commands.hpp"
#include "sim/cli/input.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/point.hpp"
#include "sim/cli/sweep.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/report/run_json.hpp"
#include "sim/report/run_tables.hpp"
#include "sim/report/sweep_report.hpp"
#include "sim/scenario/load_scenario.hpp"

namespace highwater {
namespace {

struct Options {
    std::string scenario;
    std::vector<std::string> set;
    std::vector<std::string> sweep;
    std::string json;
    std::string program;
    std::string csv;
};

Point single_point(const Options& options) {
    const Input input = read_input(options.scenario);
    require_parameters(input, "--set", !options.set.empty());
    if (input.is_program) {
        return simulate(parse_program(input.text, input.name), input.name);
    }
    return simulate(load_scenario(input.text, input.name, read_scenario_file),
                    parse_overrides(options.set));
}

int run_once(const Options& options) {
    const Point point = single_point(options);
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
    files.write();
    const bool has_failed = point.report.ledger.failure.has_value();
    if (!files.uses_standard_output()) {
        print(run_tables(point.report));
    } else if (has_failed) {
        std::fputs(failure_text(point.report).c_str(), stderr);
    }
    return has_failed ? kAnswerIsNo : kDone;
}

SweepReport sweep_over(const Options& options) {
    const Input input = read_input(options.scenario);
    require_parameters(input, "--sweep", true);
    const Scenario scenario = load_scenario(input.text, input.name, read_scenario_file);
    std::vector<SweptParameter> swept;
    SweepReport sweep;
    for (const std::string& each : options.sweep) {
        swept.push_back(parse_swept(scenario, each));
        sweep.swept.push_back(swept.back().name);
    }
    const std::vector<Override> fixed = parse_overrides(options.set);
    require_set_once(swept, fixed);
    for (const std::vector<Override>& point : points_of(swept, fixed)) {
        require_values(scenario, point, fixed);
        sweep.points.push_back(simulate(scenario, point).report);
    }
    return sweep;
}

int run_sweep(const Options& options) {
    const SweepReport sweep = sweep_over(options);
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
    const bool any_failed =
        std::any_of(sweep.points.begin(), sweep.points.end(), [](const RunReport& point) {
            return point.ledger.failure.has_value();
        });
    return any_failed ? kAnswerIsNo : kDone;
}

constexpr const char* kExample =
    "Example: what PyTorch reserves with one side stream instead of one a layer\n"
    "  highwater run scenarios/aux_streams.yaml --set mode=shared --json run.json\n"
    "Example: all combinations of two parameters, one row each\n"
    "  highwater run scenarios/aux_streams.yaml --sweep mode --sweep layers=8,16,32";

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand("run", "Simulate a scenario");
    const auto options = std::make_shared<Options>();
    command->footer(kExample);
    command
        ->add_option("SCENARIO",
                     options->scenario,
                     "A scenario, or a Program's text; - reads standard input")
        ->required();
    // One value an option: what follows is the next option or the scenario.
    command->add_option("--set", options->set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    auto* sweep =
        command
            ->add_option("--sweep",
                         options->sweep,
                         "Run with each value of a parameter: NAME=V1,V2,..., or NAME for all its "
                         "choices (repeatable)")
            ->allow_extra_args(false);
    const auto named = [](const std::string& path) {
        return std::string(path.empty() ? "name a file, or - for standard output" : "");
    };
    command->add_option("--json", options->json, "Write all figures to this file; - prints them")
        ->check(named);
    command->add_option("--csv", options->csv, "Write one line a run to this file; - prints them")
        ->check(named);
    command
        ->add_option(
            "--program", options->program, "Write what the host does to this file; - prints it")
        ->check(named)
        ->excludes(sweep);
    command->callback([&chosen, options] {
        chosen = [options] {
            return options->sweep.empty() ? run_once(*options) : run_sweep(*options);
        };
    });
}

}  // namespace highwater
