#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"

namespace highwater {

/// Gives the text of the file at a path, or throws `InputError`. Only the program's edge has one:
/// nothing in here opens files.
using FileReader = std::function<std::string(const std::string& path)>;

/// A text that a scenario was put together from.
struct SourceFile {
    /// As its places name it.
    std::string name;
    /// As the YAML parser saw it.
    std::string text;
    /// How the scenario comes to it: "extended by b.yaml:2, by a.yaml:3". Empty for itself.
    std::string chain;
};

/// The scenario first, then in the order of reading.
using SourceFiles = std::vector<SourceFile>;

/// The error, saying how the scenario comes to the file that it stands in.
InputError with_chain(const InputError& error, const SourceFiles& files);

/// By file, line and column; what is in no file comes last.
void sort_by_place(std::vector<InputError>& problems, const SourceFiles& files);

/// Does the work; its `InputError`s say how the scenario comes to their file.
template <typename Work>
auto naming_chains(const SourceFiles& files, Work work) {
    try {
        return work();
    } catch (const InputError& error) {
        throw with_chain(error, files);
    }
}

}  // namespace highwater
