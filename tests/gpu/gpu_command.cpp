#include "tests/gpu/gpu_command.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "gpu/backend_module.hpp"
#include "tests/support/catch.hpp"

namespace highwater::gpu {

std::string text_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TestFolder::TestFolder() {
    std::string name = std::filesystem::temp_directory_path() / "highwater-gpu-XXXXXX";
    path_ = mkdtemp(name.data());
}

TestFolder::~TestFolder() {
    std::filesystem::remove_all(path_);
}

CommandOutcome run_command_line(const std::vector<std::string>& words, const BackendOpener& open) {
    const TestFolder folder;
    std::fflush(stdout);
    std::fflush(stderr);
    const int out = dup(STDOUT_FILENO);
    const int error = dup(STDERR_FILENO);
    REQUIRE(std::freopen(folder.file("out").c_str(), "w", stdout) != nullptr);
    REQUIRE(std::freopen(folder.file("error").c_str(), "w", stderr) != nullptr);
    CommandOutcome outcome;
    outcome.status = run_gpu_command_line(words, open, open_probes);
    std::fflush(stdout);
    std::fflush(stderr);
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    close(out);
    close(error);
    outcome.error = text_of_file(folder.file("error"));
    outcome.output = text_of_file(folder.file("out"));
    return outcome;
}

}  // namespace highwater::gpu
