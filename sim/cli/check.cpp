#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/input.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/point.hpp"
#include "sim/cli/problems_text.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/engine/run.hpp"
#include "sim/report/run_report.hpp"
#include "sim/report/run_tables.hpp"
#include "sim/report/schema_json.hpp"
#include "sim/report/size_text.hpp"
#include "sim/scenario/check/check_sweep.hpp"
#include "sim/scenario/description/sweep.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater {
namespace {

struct CheckOptions {
    std::string scenario;
    std::vector<std::string> set;
    bool schema = false;
    LoweringLimits limits;
};

int tell_fine(const Input& input, const Program& program, std::size_t points) {
    const std::string sweep = points > 1 ? fmt::format(", points: {}", grouped(points)) : "";
    print(fmt::format("{}: fine (operations: {}, streams: {}{})\n",
                      input.name,
                      grouped(program.ops.size()),
                      grouped(program.streams.size()),
                      sweep));
    return kDone;
}

// Carries the Program out as far as the rules of PyTorch and of captures go, without costs: whether
// it fits into memory is not asked. Gives the words for what they refuse, if anything.
std::optional<std::string> refusal_in(const Program& program) {
    const RunReport report = report_of(program, run(program));
    const std::optional<Failure>& failure = report.ledger.failure;
    const bool is_refused = failure && failure->kind == Failure::Kind::kPyTorchError;
    return is_refused ? std::optional(failure_text(report)) : std::nullopt;
}

// A scenario may be about an error: then it expects one.
bool expects_failure(const Scenario& scenario) {
    return std::ranges::any_of(scenario.expectations, [](const Expectation& each) {
        return each.outcome == Outcome::kPyTorchError;
    });
}

int tell_outcome(const Input& input,
                 const Program& program,
                 std::size_t points,
                 bool may_be_refused) {
    const std::optional<std::string> refusal = refusal_in(program);
    if (!refusal) {
        return tell_fine(input, program, points);
    }
    std::fputs(refusal->c_str(), stderr);
    return may_be_refused ? tell_fine(input, program, points) : kAnswerIsNo;
}

int tell_problems(const std::vector<InputError>& problems, const SourceFiles& sources) {
    std::fputs(problems_text(problems, sources).c_str(), stderr);
    return kBadInput;
}

// The steps of a point are not carried out any further behind the first error.
int tell_step_problems(const std::vector<InputError>& problems, const SourceFiles& sources) {
    tell_problems(problems, sources);
    std::fputs("the steps behind were not carried out: more may follow once this is mended\n",
               stderr);
    return kBadInput;
}

std::vector<InputError> sweep_problems(const Scenario& scenario,
                                       const std::vector<SweepPoint>& points) {
    Problems problems(Problems::Mode::kGather);
    problems.attempt_all([&] { check_sweep_values(scenario, points, problems); });
    return problems.all();
}

// Carries out the steps of the sweep's points, as many as can be in good time. What is alive when
// follows from all the steps, so the first error of a point is its last.
std::vector<InputError> step_problems(const Scenario& scenario,
                                      const std::vector<SweepPoint>& points,
                                      const LoweringLimits& limits) {
    constexpr std::size_t kMostPoints = 64;
    Problems problems(Problems::Mode::kGather);
    problems.attempt_all([&] {
        for (std::size_t i = 0; i < std::min(points.size(), kMostPoints); ++i) {
            problems.attempt(
                [&] { lower(scenario, resolve_parameters(scenario, points[i]), limits); });
        }
    });
    return problems.all();
}

int tell_first_point(const Input& input,
                     const Scenario& scenario,
                     const std::vector<SweepPoint>& points,
                     const LoweringLimits& limits) {
    const ParameterValues values = resolve_parameters(scenario, points.front());
    const Lowered lowered = lower(scenario, values, limits);
    const int status =
        tell_outcome(input, lowered.program, points.size(), expects_failure(scenario));
    const bool has_costs = scenario.machine.costs || scenario.machine.wants_no_costs;
    const std::string untimed =
        has_costs ? "" : untimed_text(untimed_of(lowered.program, lowered.times_left_out));
    if (!untimed.empty()) {
        print(wrapped("notice: " + untimed));
    }
    return status;
}

// The values of every point of a sweep are looked at; the steps only where all else is as it should
// be.
int check_scenario_file(const Input& input, const CheckOptions& options) {
    const std::vector<Override> fixed = parse_overrides(options.set);
    ScenarioCheck found = check_scenario(input.text, input.name, read_scenario_file);
    const Scenario& scenario = found.scenario;
    if (!found.problems.empty()) {
        return tell_problems(found.problems, found.sources);
    }
    try {
        const std::vector<SweepPoint> points =
            sweep_points(axes_without(scenario.sweep, fixed), fixed, {scenario.file});
        found.problems = sweep_problems(scenario, points);
        sort_by_place(found.problems, found.sources);
        if (found.problems.empty()) {
            found.problems = step_problems(scenario, points, options.limits);
            if (!found.problems.empty()) {
                return tell_step_problems(found.problems, found.sources);
            }
            return tell_first_point(input, scenario, points, options.limits);
        }
    } catch (const InputError& error) {
        found.problems.push_back(error);
    }
    return tell_problems(found.problems, found.sources);
}

int check_as_asked(const CheckOptions& options) {
    if (options.schema) {
        print(schema_json_text());
        return kDone;
    }
    const Input input = read_input(options.scenario);
    require_parameters(input, "--set", !options.set.empty());
    if (input.is_program) {
        const Program program = parse_program(input.text, input.name);
        cost_profile_of(program, input.name);
        return tell_outcome(input, program, 1, false);
    }
    return check_scenario_file(input, options);
}

constexpr const char* kCheckExample =
    "Example: all that is wrong with a file\n"
    "  highwater check scenarios/aux_streams.yaml --set layers=64";

}  // namespace

void add_check(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand(
        "check", "Validate a scenario, or a Program's text, without running it");
    const auto options = std::make_shared<CheckOptions>();
    command->footer(kCheckExample);
    CLI::Option* scenario =
        command
            ->add_option("SCENARIO",
                         options->scenario,
                         "A scenario, or a Program's text; - reads standard input")
            ->required();
    command->add_option("--set", options->set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command->add_flag_callback(
        "--schema",
        [options, scenario] {
            options->schema = true;
            scenario->required(false);
        },
        "Print the JSON Schema of scenarios, for editors");
    add_max_operations(*command, options->limits.max_operations);
    command->callback(
        [&chosen, options] { chosen = [options] { return check_as_asked(*options); }; });
}

}  // namespace highwater
