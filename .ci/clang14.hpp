// Read before every file that clang-tidy 14 sees. That clang lacks __builtin_source_location, so
// libstdc++ hides std::source_location from it; this one has the same interface.
#pragma once

#include <source_location>

#ifndef __cpp_lib_source_location
namespace std {
struct source_location {
    static constexpr source_location current(const char* file = __builtin_FILE(),
                                             const char* function = __builtin_FUNCTION(),
                                             unsigned line = __builtin_LINE()) {
        source_location here;
        here.file_ = file;
        here.function_ = function;
        here.line_ = line;
        return here;
    }
    constexpr const char* file_name() const { return file_; }
    constexpr const char* function_name() const { return function_; }
    constexpr unsigned line() const { return line_; }

    const char* file_ = "";
    const char* function_ = "";
    unsigned line_ = 0;
};
}  // namespace std
#endif
