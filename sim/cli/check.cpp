#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/report/size_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower.hpp"

namespace highwater {
namespace {

struct Options {
    std::string scenario;
    std::vector<std::string> set;
};

int check_scenario(const Options& options) {
    const Scenario scenario = load_scenario(read_scenario_file(options.scenario), options.scenario);
    std::vector<Override> overrides;
    for (const std::string& each : options.set) {
        overrides.push_back(parse_override(each));
    }
    const Program program = lower(scenario, resolve_parameters(scenario, overrides));
    print(fmt::format("{}: fine (operations: {}, streams: {})\n",
                      options.scenario,
                      grouped(program.ops.size()),
                      grouped(program.streams.size())));
    return kDone;
}

constexpr const char* kExample =
    "Example:\n"
    "  highwater check scenarios/aux_streams.yaml --set layers=64";

}  // namespace

void add_check(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand("check", "Validate a scenario without running it");
    const auto options = std::make_shared<Options>();
    command->footer(kExample);
    command->add_option("SCENARIO", options->scenario, "The scenario")->required();
    command->add_option("--set", options->set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command->callback(
        [&chosen, options] { chosen = [options] { return check_scenario(*options); }; });
}

}  // namespace highwater
