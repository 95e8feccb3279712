#include <string>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

TEST_CASE("sections are known, and those that must be there are", "[errors]") {
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"scenario: t\nstep: []\n",
         "2:1: error: unknown key `step` in a scenario; did you mean `steps`?"},
        {"scenario: t\nsteps: []\nbananas: 1\n",
         "3:1: error: unknown key `bananas` in a scenario; known are `extends`, `scenario`, "
         "`description`, `device`, `cost_profile`, `blocking_launches`, `ranks`, `allocator`, "
         "`parameters`, `streams`, `buckets`, `workspaces`, ..."},
        {"scenario: t\n", "1:1: error: the scenario lacks `steps`; add `steps:`"},
        {"steps: []\n", "1:1: error: the file lacks `scenario`; add `scenario:`"},
        {"scenario: t\nsteps:\n",
         "2:6: error: nothing where a list of steps should be; write a list of steps"},
        {"scenario: t\nsteps: {alloc: {x: 1}}\n",
         "2:8: error: a map where a list of steps should be; write a list of steps"},
        {"scenario: [t]\nsteps: []\n",
         "1:11: error: a list where the scenario's name should be; write the scenario's name"},
        {"scenario: t\nparameters: [a]\nsteps: []\n",
         "2:13: error: a list where a map of parameters should be; write a map of parameters"},
        {"scenario: t\nstreams: aux\nsteps: []\n",
         "2:10: error: a value where a map of streams should be; write a map of streams"},
        {"scenario: t\nstreams: {default: {}}\nsteps: []\n",
         "2:11: error: a stream is named `default`, a word of the language; choose another name"},
        {"scenario: t\nprocedures: {p: sync}\nsteps: []\n",
         "2:17: error: a value where a procedure should be; write a procedure"},
        {"scenario: t\nprocedures: {p: {parameters: [a]}}\nsteps: []\n",
         "2:17: error: the procedure lacks `do`; add `do:`"},
    }));
    CHECK(error_of(text) == "s.yaml:" + error);
}

TEST_CASE("only the text that PyTorch starts with chooses the backend", "[errors]") {
    const auto error = [](const std::string& conf) {
        return error_of("scenario: t\nallocator: {conf: \"" + conf + "\"}\nsteps: []\n");
    };
    CHECK(error("backend:cudaMallocAsync") == "accepted");
    CHECK(error("backend:native") == "accepted");
    CHECK(error_of_steps("- set_allocator: \"backend:native\"\n") == "accepted");
    CHECK(error_of_steps("- set_allocator: \"backend:cudaMallocAsync\"\n")
              .starts_with("s.yaml:5:27: error: PyTorch rejects these allocator settings: backend: "
                           "'cudaMallocAsync' is not the one PyTorch was loaded with; "));
}

TEST_CASE("blank sections are empty ones", "[errors]") {
    CHECK(error_of("scenario: t\nparameters:\nstreams:\nprocedures:\nmeasures:\nsteps: []\n") ==
          "accepted");
}

TEST_CASE("devices and the allocator are known", "[errors]") {
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"device: b100",
         "2:9: error: unknown device `b100`; write `h200`, `h100`, or `device: "
         "{total_memory: 80 GiB}`"},
        {"device: {memory: 80 GiB}",
         "2:10: error: unknown key `memory` in a device; known are `extends`, `total_memory`, "
         "`compute_capability`, `multiprocessors`"},
        {"device: {}", "2:9: error: the device lacks `total_memory`; add `total_memory:`"},
        {"device: {total_memory: 80.3 B}",
         "2:24: error: the size in bytes is a real (`80.3`); make it an integer, with ceil(), "
         "floor() or //"},
        {"allocator: {profile: torch-1.0}",
         "2:22: error: unknown allocator profile `torch-1.0`; known is `torch-2.11`"},
        {"allocator: {config: ''}",
         "2:13: error: unknown key `config` in the allocator; did you mean `conf`?"},
        {"allocator: {memory_fraction: 1.5}",
         "2:30: error: the memory fraction is `1.5`; make it a number from 0 to 1"},
        {"allocator: {memory_fraction: true}",
         "2:30: error: the memory fraction is `true`; make it a number from 0 to 1"},
    }));
    CHECK(error_of("scenario: t\n" + text + "\nsteps: []\n") == "s.yaml:" + error);
}

TEST_CASE("the machine is as the file says", "[errors]") {
    const Program preset = lowered("scenario: t\ndevice: h200\nsteps: []\n");
    CHECK(preset.machine == Machine{Bytes{150'109'880'320}, 1.0, "", true, false, "h200-cuda13"});
    CHECK(lowered("scenario: t\nsteps: []\n").machine == preset.machine);
    const Program own = lowered(
        "scenario: t\n"
        "device: {total_memory: g * GiB}\n"
        "parameters: {g: 80}\n"
        "allocator: {conf: \"expandable_segments:True\", memory_fraction: 0.9}\n"
        "steps: []\n");
    CHECK(own.machine == Machine{Bytes{85'899'345'920}, 0.9, "expandable_segments:True"});
}

TEST_CASE("settings that PyTorch rejects are refused at the very word", "[errors]") {
    const std::string in_file =
        error_of("scenario: t\nallocator: {conf: \"max_split_size_mb:5\"}\nsteps: []\n");
    CHECK(in_file.find("s.yaml:2:38: error: PyTorch rejects these allocator settings: ") == 0);
    const std::string in_step = error_of_steps("- set_allocator: expandable_segments:maybe\n");
    CHECK(in_step.find("s.yaml:5:38: error: PyTorch rejects these allocator settings: ") == 0);
}

TEST_CASE("settings that follow each other are checked in their order", "[errors]") {
    CHECK(error_of_steps("- set_allocator: max_split_size_mb:32\n") == "accepted");
    CHECK(error_of_steps("- set_allocator: large_segment_size_mb:64\n"
                         "- set_allocator: max_split_size_mb:32\n")
              .find("s.yaml:6:36: error: PyTorch rejects") == 0);
}

TEST_CASE("a file that cannot be read is refused", "[errors]") {
    CHECK_THROWS_WITH(read_scenario_file("/nonexistent/s.yaml"),
                      "/nonexistent/s.yaml: error: the file cannot be read; name a scenario file "
                      "that exists");
    CHECK_THROWS_WITH(read_scenario_file("/"),
                      "/: error: the file cannot be read; name a scenario file that exists");
}
