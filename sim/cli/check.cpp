#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/input.hpp"
#include "sim/cli/output.hpp"
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

Program program_of(const Input& input, const std::vector<std::string>& set) {
    require_parameters(input, "--set", !set.empty());
    if (input.is_program) {
        return parse_program(input.text, input.name);
    }
    const Scenario scenario = load_scenario(input.text, input.name, read_scenario_file);
    return lower(scenario, resolve_parameters(scenario, parse_overrides(set)));
}

int check_input(const Options& options) {
    const Input input = read_input(options.scenario);
    const Program program = program_of(input, options.set);
    print(fmt::format("{}: fine (operations: {}, streams: {})\n",
                      input.name,
                      grouped(program.ops.size()),
                      grouped(program.streams.size())));
    return kDone;
}

constexpr const char* kExample =
    "Example:\n"
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
