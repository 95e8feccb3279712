#include "sim/scenario/facts/devices.hpp"

#include <string>

#include "sim/engine/run.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/result/measures.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

std::string error_with(const std::string& device, const std::string& parameter) {
    return error_of("scenario: t\ndevice: " + device + "\nparameters: {n: 1, m: " + parameter +
                    "}\nsteps: []\n");
}

}  // namespace

TEST_CASE("the cards are those of the presets", "[devices]") {
    CHECK(device_names() == std::vector<std::string>{"h200", "h100"});
    const Device h200 = find_device("h200").value();
    CHECK(h200.total_memory == Bytes{150'109'880'320});
    CHECK(h200.compute_capability == 9.0);
    CHECK(h200.multiprocessors == 132);
    CHECK(h200.cost_profile == "h200-cuda13");
    CHECK(find_device("h100").value().total_memory == Bytes{std::uint64_t{81'559} << 20});
    CHECK_FALSE(find_device("b200"));
}

TEST_CASE("expressions may ask the device", "[devices]") {
    const std::string steps = "steps:\n- alloc: {x: device.multiprocessors * n}\n";
    CHECK(ops_of(lowered("scenario: t\nparameters: {n: floor(device.compute_capability)}\n" +
                         steps)) == "alloc x 1188 on default\n");
    CHECK(ops_of(lowered("scenario: t\ndevice: {total_memory: 1 GiB * k}\nparameters: {k: 2}\n"
                         "steps: [alloc: {x: device.total_memory // 4}]\n")) ==
          "alloc x 536870912 on default\n");
}

TEST_CASE("a device may be one of the known with other figures", "[devices]") {
    const Program program = lowered(
        "scenario: t\ndevice: {extends: h200, total_memory: 80 GiB, multiprocessors: 7}\n"
        "parameters: {n: device.multiprocessors, c: device.compute_capability}\n"
        "steps: [alloc: {x: n * c}]\n");
    CHECK(program.machine.total_memory == Bytes{std::uint64_t{80} << 30});
    CHECK(ops_of(program) == "alloc x 63 on default\n");
}

TEST_CASE("measures may ask the device", "[devices]") {
    const std::string text =
        "scenario: t\nsteps: []\nmeasures: {left: device.total_memory - result.reserved_bytes}\n";
    const Scenario scenario = load_scenario(text, "s.yaml");
    const ParameterValues values = resolve_parameters(scenario);
    const Program program = lowered(text);
    CHECK(evaluate_measures(scenario, values, program, run(program)) ==
          std::vector<Measure>{{"left", std::int64_t{150'109'880'320}}});
}

TEST_CASE("what the device does not say is refused", "[devices]") {
    CHECK(error_with("h200", "device.memory") ==
          "s.yaml:3:30: error: unknown figure `memory` of the device; known are `total_memory`, "
          "`compute_capability`, `multiprocessors`");
    CHECK(error_with("{total_memory: 1 GiB}", "device.multiprocessors") ==
          "s.yaml:3:30: error: this device has no `multiprocessors`; write `device: "
          "{multiprocessors: ..., total_memory: ...}`, or name a device");
    CHECK(error_with("{total_memory: n * GiB}", "device.total_memory") ==
          "s.yaml:3:30: error: the device's total memory follows from the parameters; give "
          "`device` a size without parameters, or leave this out here");
    CHECK(error_with("{total_memory: device.total_memory}", "1").find("s.yaml:2:31: error: ") == 0);
    CHECK(error_with("{total_memory: 1 GiB}", "device.total_memory") == "accepted");
    CHECK(error_with("{extends: h300}", "1") ==
          "s.yaml:2:19: error: unknown device `h300`; write `h200`, `h100`, or `device: "
          "{total_memory: 80 GiB}`");
    CHECK(error_with("{extends: h200, multiprocessors: 1.5}", "1") ==
          "s.yaml:2:42: error: a real where an integer should be; write an integer");
    CHECK(error_with("{extends: h200, compute_capability: x}", "1") ==
          "s.yaml:2:45: error: `x` where a number should be; write a number above 0");
    CHECK(error_of("scenario: t\nsteps: [alloc: {x: after.reserved_bytes}]\n")
              .find("where only parameters are known") != std::string::npos);
}
