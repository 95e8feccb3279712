#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// To standard output. A reader that went away is no error: there is nobody left to tell. Throws
/// `InputError` for anything else that stops it, such as a full disk.
void print(std::string_view text);

/// Writes out what `print` has kept back. Throws like `print`.
void finish_printing();

/// The files that one command writes: all of them, or none.
class OutputFiles {
  public:
    /// Gives text to the sink, piece by piece.
    using Producer = std::function<void(const std::function<void(std::string_view)>& sink)>;

    /// `input` is the file that the command reads: nothing may replace it.
    explicit OutputFiles(const std::string& input);

    /// `option` is the one that named the file; `path` "-" is standard output. Throws `InputError`
    /// if two are to go to the same place, or one to the input.
    void add(const std::string& option, const std::string& path, std::string text);
    /// The same for text that is only made when it is written, a piece at a time.
    void add(const std::string& option, const std::string& path, Producer produce);

    /// Another file that the command reads.
    void protect(const std::string& path);

    bool uses_standard_output() const;

    /// Each file is complete under another name before the first of them gets its own. Throws
    /// `InputError` for a file that cannot be written; then all are as they were.
    void write() const;

  private:
    struct File {
        std::string option;
        std::string path;
        Producer produce;
    };
    std::vector<std::string> inputs_;
    std::vector<File> files_;
};

}  // namespace highwater
