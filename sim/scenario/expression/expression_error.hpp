#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace highwater {

/// What is wrong with an expression, at a byte of its text. `Formula` turns it into an `InputError`
/// with the place in the file.
class ExpressionError : public std::runtime_error {
  public:
    ExpressionError(std::size_t offset, const std::string& problem, std::string remedy)
        : std::runtime_error(problem), offset_(offset), remedy_(std::move(remedy)) {}

    std::size_t offset() const { return offset_; }
    const std::string& remedy() const { return remedy_; }

  private:
    std::size_t offset_;
    std::string remedy_;
};

}  // namespace highwater
