#pragma once

#include <optional>
#include <string>
#include <vector>

namespace highwater {

/// A file that is gone with its owner.
class ScratchFile {
  public:
    /// Throws `InputError` where none can be made.
    ScratchFile();
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    const std::string& path() const { return path_; }
    bool is_empty() const;

  private:
    std::string path_;
};

/// The program `highwater-gpu` beside this one; none if it is not there.
std::optional<std::string> harness_beside_this();

/// Runs a program with these words, its standard output left out, and gives its exit status; none
/// if it could not be run or did not end by itself.
std::optional<int> run_harness(const std::string& program, const std::vector<std::string>& words);

}  // namespace highwater
