#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/input.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/problems_text.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/report/size_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower.hpp"

namespace highwater {
namespace {

struct Options {
    std::string scenario;
    std::vector<std::string> set;
};

int tell_fine(const Input& input, const Program& program) {
    print(fmt::format("{}: fine (operations: {}, streams: {})\n",
                      input.name,
                      grouped(program.ops.size()),
                      grouped(program.streams.size())));
    return kDone;
}

int tell_problems(const std::vector<InputError>& problems, const SourceFiles& sources) {
    std::fputs(problems_text(problems, sources).c_str(), stderr);
    return kBadInput;
}

// The steps are carried out only where everything is as it should be: what is alive when follows
// from all of them, so the first error there is the last.
int check_scenario_file(const Input& input, const std::vector<Override>& overrides) {
    ScenarioCheck found = check_scenario(input.text, input.name, read_scenario_file);
    if (found.problems.empty()) {
        try {
            const ParameterValues values = resolve_parameters(found.scenario, overrides);
            return tell_fine(input, lower(found.scenario, values));
        } catch (const InputError& error) {
            found.problems.push_back(error);
        }
    }
    return tell_problems(found.problems, found.sources);
}

int check_input(const Options& options) {
    const Input input = read_input(options.scenario);
    require_parameters(input, "--set", !options.set.empty());
    if (input.is_program) {
        return tell_fine(input, parse_program(input.text, input.name));
    }
    return check_scenario_file(input, parse_overrides(options.set));
}

constexpr const char* kExample =
    "Example: all that is wrong with a file\n"
    "  highwater check scenarios/aux_streams.yaml --set layers=64";

}  // namespace

void add_check(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand(
        "check", "Validate a scenario, or a Program's text, without running it");
    const auto options = std::make_shared<Options>();
    command->footer(kExample);
    command
        ->add_option("SCENARIO",
                     options->scenario,
                     "A scenario, or a Program's text; - reads standard input")
        ->required();
    command->add_option("--set", options->set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command->callback([&chosen, options] { chosen = [options] { return check_input(*options); }; });
}

}  // namespace highwater
