#include "sim/scenario/source_files.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

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

}  // namespace highwater
