#include "sim/scenario/text/source_files.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace highwater {
namespace {

std::size_t index_of(const std::string& file, const SourceFiles& files) {
    const auto found = std::find_if(
        files.begin(), files.end(), [&](const SourceFile& each) { return each.name == file; });
    return static_cast<std::size_t>(found - files.begin());
}

}  // namespace

InputError with_chain(const InputError& error, const SourceFiles& files) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const SourceFile& file) {
        return file.name == error.place().file;
    });
    if (found == files.end() || found->chain.empty()) {
        return error;
    }
    const std::string chain = fmt::format(" ({})", found->chain);
    const bool is_said = error.problem().find(chain) != std::string::npos;
    return is_said ? error : InputError(error.place(), error.problem() + chain, error.remedy());
}

void sort_by_place(std::vector<InputError>& problems, const SourceFiles& files) {
    const auto key = [&](const InputError& problem) {
        const SourcePlace& place = problem.place();
        return std::make_tuple(index_of(place.file, files), place.line, place.column);
    };
    std::stable_sort(problems.begin(),
                     problems.end(),
                     [&](const InputError& a, const InputError& b) { return key(a) < key(b); });
}

}  // namespace highwater
