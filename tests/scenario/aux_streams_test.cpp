#include <algorithm>
#include <cstdint>
#include <string>

#include "sim/engine/run.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/result/measures.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

const std::string kFile = HIGHWATER_SOURCE_DIR "/scenarios/aux_streams.yaml";

Program aux_streams(const std::vector<Override>& overrides) {
    return lowered(read_scenario_file(kFile), overrides);
}

std::uint64_t size_of(const Program& program, const std::string& tensor) {
    for (const Op& op : program.ops) {
        const auto* alloc = std::get_if<op::Alloc>(&op);
        if (alloc != nullptr &&
            program.tensors.at(static_cast<std::size_t>(alloc->tensor)) == tensor) {
            return alloc->size.count;
        }
    }
    return 0;
}

}  // namespace

TEST_CASE("aux_streams: the figures in the file's claim hold", "[aux_streams]") {
    const auto [mode, execution, before, after, addresses] =
        GENERATE(table<std::string, std::string, std::uint64_t, std::uint64_t, std::int64_t>({
            {"per-layer", "graph", 23'068'672, 763'363'328, 32},
            {"shared", "graph", 23'068'672, 50'331'648, 1},
            {"per-layer", "eager", 23'068'672, 761'266'176, 32},
            {"shared", "eager", 23'068'672, 48'234'496, 1},
        }));
    const Scenario scenario = load_scenario(read_scenario_file(kFile), kFile);
    const std::vector<Override> overrides{{"mode", mode}, {"execution", execution}};
    const ParameterValues values = resolve_parameters(scenario, overrides);
    const Program program = lower(scenario, values).program;
    RunOptions options;
    options.costs = &scenario.machine.costs.value();
    const Ledger ledger = run(program, options);
    REQUIRE(ledger.checkpoints.size() == 3);
    CHECK(ledger.checkpoints[0].stats.reserved_bytes.all.current == before);
    CHECK(ledger.checkpoints[2].stats.reserved_bytes.all.current == after);
    const std::vector<Measure> measures = evaluate_measures(scenario, values, program, ledger);
    REQUIRE(measures.size() == 3);
    CHECK(measures[0] ==
          Measure{"reserved_delta_bytes", static_cast<std::int64_t>(after - before)});
    CHECK(measures[2] == Measure{"unique_tmp_addresses", addresses});
}

TEST_CASE("aux_streams: the scratch of a sum is as large as on the card", "[aux_streams]") {
    const auto [temp_mib, tmp, partials] =
        GENERATE(table<std::string, std::uint64_t, std::uint64_t>({
            {"0.5", 524'288, 64},
            {"1", 1'048'576, 128},
            {"3", 3'145'728, 384},
            {"8", 8'388'608, 1'024},
            {"12", 12'582'912, 1'536},
        }));
    const Program program = aux_streams({{"temp_mib", temp_mib}});
    CHECK(size_of(program, "tmp") == tmp);
    CHECK(size_of(program, "partials") == partials);
    CHECK(size_of(program, "semaphore") == 4);
}

TEST_CASE("aux_streams: the capture stream is the 33rd, which is auxiliary stream 0",
          "[aux_streams]") {
    const auto begins_on = [](const Program& program) {
        const auto begin = std::find_if(program.ops.begin(), program.ops.end(), [](const Op& op) {
            return std::holds_alternative<op::BeginCapture>(op);
        });
        const StreamId stream = std::get<op::BeginCapture>(*begin).stream;
        return program.streams.at(static_cast<std::size_t>(stream)).name;
    };
    CHECK(begins_on(aux_streams({{"layers", "31"}})) == "capture");
    CHECK(begins_on(aux_streams({{"layers", "32"}})) == "aux[0]");
    CHECK(begins_on(aux_streams({{"layers", "40"}})) == "aux[8]");
    CHECK(begins_on(aux_streams({{"mode", "shared"}})) == "capture");
}
