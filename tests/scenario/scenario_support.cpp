#include "tests/scenario/scenario_support.hpp"

#include "sim/core/error.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::test {
namespace {

const std::string kBeforeSteps =
    "scenario: test\n"
    "parameters: {n: 4}\n"
    "streams: {a: {}, b: {}, many: {count: 3}}\n"
    "steps:\n";

}  // namespace

Program lowered(const std::string& text, const std::vector<Override>& overrides) {
    const Scenario scenario = load_scenario(text, "s.yaml");
    return lower(scenario, resolve_parameters(scenario, overrides)).program;
}

std::string ops_of(const Program& program) {
    Program ops_only = program;
    const std::string text = to_text(program);
    ops_only.ops.clear();
    return text.substr(to_text(ops_only).size());
}

std::string ops_of_steps(const std::string& steps) {
    return ops_of(lowered(kBeforeSteps + steps));
}

std::string error_of(const std::string& text, const std::vector<Override>& overrides) {
    try {
        lowered(text, overrides);
        return "accepted";
    } catch (const InputError& error) {
        return error.what();
    }
}

std::string error_of_steps(const std::string& steps) {
    return error_of(kBeforeSteps + steps);
}

}  // namespace highwater::test
