// The command line, on a fake card.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "gpu/backend_module.hpp"
#include "gpu/run_command.hpp"
#include "tests/gpu/fake_backend.hpp"
#include "tests/gpu/gpu_command.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

const std::string kScenario = HIGHWATER_SOURCE_DIR "/scenarios/aux_streams.yaml";

std::unique_ptr<gpu::Backend> open_fake(const std::string&,
                                        const std::string&,
                                        const Program& program,
                                        const gpu::Rank& rank) {
    if (rank.device > 0) {
        throw gpu::NoMeasurement("there is no GPU 1");
    }
    return std::make_unique<gpu::FakeBackend>(program, rank);
}

gpu::CommandOutcome outcome_of(const std::vector<std::string>& words,
                               const gpu::BackendOpener& open = open_fake) {
    return gpu::run_command_line(words, open);
}

}  // namespace

TEST_CASE("a run writes the JSON and the snapshot it is asked for", "[command]") {
    const gpu::TestFolder folder;
    const std::string json = folder.file("m.json");
    const std::string snapshot = folder.file("m.pickle");
    const gpu::CommandOutcome outcome = outcome_of({"run",
                                                    kScenario,
                                                    "--set",
                                                    "layers=3",
                                                    "--repeat",
                                                    "2",
                                                    "--json",
                                                    json,
                                                    "--snapshot",
                                                    snapshot});
    CHECK(outcome.error.empty());
    CHECK(outcome.status == 0);
    const auto measured = nlohmann::json::parse(gpu::text_of_file(json));
    CHECK(measured["scenario"] == "aux_streams");
    CHECK(measured["parameters"]["layers"] == 3);
    CHECK(measured["measured"]["repeats"] == 2);
    CHECK(std::filesystem::file_size(snapshot) > 0);
}

TEST_CASE("what goes wrong is told in one line, with a status of its own", "[command]") {
    const gpu::CommandOutcome backend = outcome_of({"run", kScenario, "--backend", "toch"});
    CHECK(backend.status == 2);
    CHECK(backend.error == "--backend: error: `toch` is no backend; did you mean `torch`?\n");

    const gpu::CommandOutcome card = outcome_of({"run", kScenario, "--device", "1"});
    CHECK(card.status == 3);
    CHECK(card.error == "highwater-gpu: error: there is no GPU 1\n");

    const gpu::CommandOutcome scenario = outcome_of({"run", "no/such.yaml"});
    CHECK(scenario.status == 2);
    CHECK(std::count(scenario.error.begin(), scenario.error.end(), '\n') == 1);

    CHECK(outcome_of({"run", kScenario, "--set", "nothing=1"}).status == 2);
    CHECK(outcome_of({"run", kScenario, "--repeat", "0"}).status == 2);
    CHECK(outcome_of({"fly"}).status == 2);
}

TEST_CASE("a program that fails on the card is an answer, and no mistake", "[command]") {
    const gpu::TestFolder folder;
    const std::string program = folder.file("big.txt");
    std::ofstream(program) << "highwater-program 1\n"
                              "machine total_memory 1073741824 memory_fraction 1 conf \"\"\n"
                              "stream default handle 0x0\n"
                              "tensor x\n"
                              "alloc x 4294967296 on default\n";
    const gpu::CommandOutcome outcome =
        outcome_of({"run", program, "--json", folder.file("m.json")});
    CHECK(outcome.status == 1);
    const auto measured = nlohmann::json::parse(gpu::text_of_file(folder.file("m.json")));
    CHECK(measured["failure"]["kind"] == "out_of_memory");
}

TEST_CASE("a run that takes too long is ended, and that is said", "[command]") {
    const auto hang = [](const std::string&,
                         const std::string&,
                         const Program&,
                         const gpu::Rank&) -> std::unique_ptr<gpu::Backend> {
        while (true) {
            pause();
        }
    };
    const gpu::CommandOutcome outcome = outcome_of({"run", kScenario, "--time-limit", "1"}, hang);
    CHECK(outcome.status == 3);
    CHECK(outcome.error == "highwater-gpu: error: the run was not over after 1 s\n");
}

TEST_CASE("a backend that was not built, or is none, is told from one that is", "[module]") {
    const gpu::TestFolder folder;
    const auto error = [&] {
        return outcome_of({"run", kScenario, "--modules", folder.path()}, gpu::open_backend).error;
    };
    CHECK_THAT(error(),
               Catch::Matchers::StartsWith(
                   "highwater-gpu: error: the backend torch was not built: there is no "));
    std::ofstream(folder.file("highwater_gpu_torch.so")) << "no library";
    CHECK_THAT(error(), Catch::Matchers::ContainsSubstring("the backend torch finds no"));
}

TEST_CASE("PyTorch's environment is the program's machine", "[module]") {
    setenv("PYTORCH_CUDA_ALLOC_CONF", "of the shell", 1);
    gpu::set_environment(
        {.total_memory = Bytes{1}, .conf = {}, .caching = false, .blocking_launches = true});
    CHECK(std::getenv("PYTORCH_CUDA_ALLOC_CONF") == nullptr);
    CHECK(std::string(std::getenv("PYTORCH_NO_CUDA_MEMORY_CACHING")) == "1");
    CHECK(std::string(std::getenv("CUDA_LAUNCH_BLOCKING")) == "1");
    gpu::set_environment({.total_memory = Bytes{1}, .conf = "expandable_segments:True"});
    CHECK(std::string(std::getenv("PYTORCH_CUDA_ALLOC_CONF")) == "expandable_segments:True");
    CHECK(std::getenv("CUDA_LAUNCH_BLOCKING") == nullptr);
}
