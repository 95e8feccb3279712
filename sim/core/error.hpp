#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace highwater {

/// A position in a text the user wrote. Lines and columns count from 1; 0 means "unknown" and is
/// left out of messages.
struct SourcePlace {
    std::string file;
    std::size_t line = 0;
    std::size_t column = 0;
    friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// `FILE:LINE:COLUMN`, as far as it is known.
std::string place_text(const SourcePlace& place);

/// Bad input. `what()` is one line: `FILE:LINE:COL: error: what is wrong; what to do`.
class InputError : public std::runtime_error {
  public:
    InputError(SourcePlace place, const std::string& problem, const std::string& remedy);

    const SourcePlace& place() const { return place_; }
    const std::string& problem() const { return problem_; }
    const std::string& remedy() const { return remedy_; }

  private:
    SourcePlace place_;
    std::string problem_;
    std::string remedy_;
};

}  // namespace highwater
