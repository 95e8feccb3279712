#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/engine/run.hpp"
#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/result/claims.hpp"
#include "sim/scenario/result/measures.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

// The YAML in a page, the first being number 0.
std::string example(const std::string& page, int number = 0) {
    const std::string text = read_scenario_file(HIGHWATER_SOURCE_DIR "/" + page);
    constexpr std::string_view kBegin = "```yaml\n";
    std::size_t begin = text.find(kBegin);
    while (number-- > 0) {
        begin = text.find(kBegin, begin + 1);
    }
    begin += kBegin.size();
    return text.substr(begin, text.find("```", begin) - begin);
}

const std::string kLanguage = "scenarios/LANGUAGE.md";

}  // namespace

TEST_CASE("the README's example runs, and reserves what is said there", "[readme]") {
    const Scenario scenario = load_scenario(example(kLanguage), "LANGUAGE.md");
    const ParameterValues values = resolve_parameters(scenario);
    const Program program = lower(scenario, values).program;
    const Ledger ledger = run(program);
    CHECK(evaluate_measures(scenario, values, program, ledger) ==
          std::vector<Measure>{{"total_bytes", std::int64_t{62'914'560}}});
    for (const Claim& claim : claims_of(scenario)) {
        CHECK(claim.holds);
    }
}

TEST_CASE("the page's model runs once it has a name and its parameters", "[readme]") {
    const std::string text =
        "scenario: t\nparameters: {layers: 2, hidden: 64}\n" + example(kLanguage, 1);
    CHECK(lowered(text).graphs.size() == 36);
}

TEST_CASE("the page's step takes as long as is said there", "[readme]") {
    const std::string page = read_scenario_file(HIGHWATER_SOURCE_DIR "/" + kLanguage);
    const Scenario scenario = load_scenario(example(kLanguage, 2), "LANGUAGE.md");
    const ParameterValues values = resolve_parameters(scenario);
    const Program program = lower(scenario, values).program;
    RunOptions options;
    options.costs = &*scenario.machine.costs;
    const Ledger ledger = run(program, options);
    const auto measures = evaluate_measures(scenario, values, program, ledger);
    const auto said = [&](std::size_t measure, double unit, const std::string& format) {
        const double time = as_real(measures.at(measure).value.value()) / unit;
        return page.find(fmt::format(fmt::runtime(format), time)) != std::string::npos;
    };
    CHECK(said(0, 1e6, "takes {:.2f} ms eagerly"));
    CHECK(said(1, 1e3, "and {:.0f} us replayed"));
    const CheckpointRow& eager = ledger.checkpoints.at(0);
    const Duration elapsed = eager.time.time_since_epoch();
    CHECK(static_cast<double>(eager.host_bound.count()) ==
          Approx(2.0 / 3.0 * static_cast<double>(elapsed.count())).epsilon(0.1));
}

TEST_CASE("the guide's decoder reserves what the guide shows", "[readme]") {
    const Scenario scenario = load_scenario(example("scenarios/README.md"), "README.md");
    const ParameterValues values =
        resolve_parameters(scenario, std::vector<Override>{{"output", "drop"}});
    const Program program = lower(scenario, values).program;
    CHECK(evaluate_measures(scenario, values, program, run(program)) ==
          std::vector<Measure>{{"capture_bytes", std::int64_t{174'063'616}}});
}

TEST_CASE("work on a held stream keeps blocks pending until its release", "[readme]") {
    const Ledger ledger =
        run(lowered("scenario: t\n"
                    "streams: {s: {}}\n"
                    "steps:\n"
                    "- alloc: {x: 1 MiB}\n"
                    "- hold: s\n"
                    "- kernel: {stream: s, reads: x}\n"
                    "- record_stream: {tensor: x, stream: s}\n"
                    "- free: x\n"
                    "- alloc: {y: 1 KiB}\n"
                    "- checkpoint: held\n"
                    "- release: s\n"
                    "- sync\n"
                    "- alloc: {z: 1 KiB}\n"
                    "- checkpoint: released\n"));
    REQUIRE(ledger.checkpoints.size() == 2);
    CHECK(ledger.checkpoints[0].stats.active_bytes.all.current == 1'049'600);
    CHECK(ledger.checkpoints[1].stats.active_bytes.all.current == 2'048);
}

TEST_CASE("a first capture reserves a segment for the generator's tensors", "[readme]") {
    const Ledger ledger =
        run(lowered("scenario: t\n"
                    "streams: {s: {}}\n"
                    "steps:\n"
                    "- capture: {graph: g, stream: s, do: []}\n"
                    "- checkpoint: first\n"
                    "- capture: {graph: h, stream: s, do: []}\n"
                    "- checkpoint: second\n"));
    REQUIRE(ledger.checkpoints.size() == 2);
    CHECK(ledger.checkpoints[0].stats.reserved_bytes.all.current == 2'097'152);
    CHECK(ledger.checkpoints[0].stats.allocation.all.current == 2);
    CHECK(ledger.checkpoints[1].stats.reserved_bytes.all.current == 2'097'152);
}
