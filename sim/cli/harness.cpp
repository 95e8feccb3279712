#include "sim/cli/harness.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/core/error.hpp"

// POSIX has the program declare it.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace highwater {
namespace {

// Standard error stays: the harness says there why it measured nothing.
class OutputLeftOut {
  public:
    OutputLeftOut() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    ~OutputLeftOut() { posix_spawn_file_actions_destroy(&actions_); }
    OutputLeftOut(const OutputLeftOut&) = delete;
    OutputLeftOut& operator=(const OutputLeftOut&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

std::optional<int> status_of_child(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return std::nullopt;
        }
    }
    return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

}  // namespace

ScratchFile::ScratchFile() {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
    path_ = (folder / "highwater.XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) {
        throw InputError({path_},
                         std::string("it cannot be written: ") + std::strerror(errno),
                         "name a folder that you may write with TMPDIR");
    }
    close(file);
}

ScratchFile::~ScratchFile() {
    unlink(path_.c_str());
}

bool ScratchFile::is_empty() const {
    std::error_code ignored;
    return std::filesystem::is_empty(path_, ignored);
}

std::optional<std::string> harness_beside_this() {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto harness = self.parent_path() / "highwater-gpu";
    if (error || access(harness.c_str(), X_OK) != 0) {
        return std::nullopt;
    }
    return harness.string();
}

std::optional<int> run_harness(const std::string& program, const std::vector<std::string>& words) {
    std::vector<std::string> all{program};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const OutputLeftOut output;
    pid_t child = 0;
    if (posix_spawn(&child, program.c_str(), output.get(), nullptr, arguments.data(), environ) !=
        0) {
        return std::nullopt;
    }
    return status_of_child(child);
}

}  // namespace highwater
