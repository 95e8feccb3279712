// The auxiliary-stream demo under both backends, 32 layers of 8 MiB, as it was measured on an H200
// with PyTorch 2.11: the scenario in simulated time.
#include <string>

#include "sim/engine/run.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/result/measures.hpp"
#include "tests/driver/recorded_rows.hpp"
#include "tests/support/catch.hpp"

namespace highwater::test {

namespace {

constexpr double kMiB = 1 << 20;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

// The rows were made with two vectors of sums, the scenario has three.
std::string demo(const std::string& backend) {
    std::string text = read_scenario_file(HIGHWATER_SOURCE_DIR "/scenarios/aux_streams.yaml");
    text = replaced(text, ", sums: layers * 4", "");
    text = replaced(text, "writes: [sums]", "writes: [main_sums]");
    text = replaced(text, "conf: \"\"", "conf: \"backend:" + backend + "\"");
    // What the driver holds counts before the replay, too.
    return replaced(
        text, "      - replay: g\n", "      - checkpoint: captured\n      - replay: g\n");
}

const CheckpointRow& checkpoint(const Ledger& ledger, const std::string& name) {
    for (const CheckpointRow& row : ledger.checkpoints) {
        if (row.name == name) {
            return row;
        }
    }
    FAIL("no checkpoint " << name);
    return ledger.checkpoints.front();
}

double mib(std::uint64_t bytes) {
    return static_cast<double>(bytes) / kMiB;
}

double reserved(const CheckpointRow& row) {
    return mib(row.stats.reserved_bytes.all.current);
}

// What a reading of the device's free memory shows.
double on_device(const CheckpointRow& row) {
    return reserved(row) + mib(row.driver.count);
}

}  // namespace

TEST_CASE("the demo's rows under both backends are met in simulated time", "[measured]") {
    for (const nlohmann::json& row : recorded_rows("async-backend.jsonl")) {
        INFO(row.dump());
        const Scenario scenario = load_scenario(demo(row.at("backend")), "demo.yaml");
        const std::vector<Override> overrides{{"mode", row.at("mode")},
                                              {"execution", row.at("execution")}};
        const ParameterValues values = resolve_parameters(scenario, overrides);
        const Program program = lower(scenario, values).program;
        RunOptions options;
        options.costs = &scenario.machine.costs.value();
        const Ledger ledger = run(program, options);
        REQUIRE_FALSE(ledger.failure);

        const auto measures = evaluate_measures(scenario, values, program, ledger);
        REQUIRE(measures.at(2).name == "unique_tmp_addresses");
        CHECK(measures[2].value == Value{row.at("unique").get<std::int64_t>()});
        const CheckpointRow& before = checkpoint(ledger, "before");
        const CheckpointRow& after = checkpoint(ledger, "after");
        CHECK(mib(after.stats.allocated_bytes.all.current) ==
              Approx(row.at("allocated").get<double>()).epsilon(1e-12));
        CHECK(reserved(after) - reserved(before) == row.at("reserved_delta"));
        CHECK(mib(after.stats.reserved_bytes.all.peak) == row.at("peak_reserved"));
        // Of graphs.
        const double error = mib(after.driver_error.count - before.driver_error.count);
        CHECK(on_device(after) - on_device(before) ==
              Approx(row.at("driver_delta").get<double>()).margin(error));
        if (row.at("execution") == "graph") {
            CHECK(on_device(checkpoint(ledger, "captured")) - on_device(before) ==
                  Approx(row.at("driver_after_capture").get<double>()).margin(error));
        }
    }
}

}  // namespace highwater::test
