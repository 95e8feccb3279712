#pragma once

#include <string>
#include <vector>

#include "gpu/run_command.hpp"

namespace highwater::gpu {

/// What `highwater-gpu` with these words gave.
struct CommandOutcome {
    int status = 0;
    std::string error;
    std::string output;
};

/// Standard output and error go to files meanwhile.
CommandOutcome run_command_line(const std::vector<std::string>& words, const BackendOpener& open);

/// All that is in the file; nothing if it is not there.
std::string text_of_file(const std::string& path);

/// A folder that is gone with its owner.
class TestFolder {
  public:
    TestFolder();
    ~TestFolder();
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace highwater::gpu
