#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace highwater {

/// A settings text that PyTorch refuses. `what()` is its complaint in our words, one line that
/// names the key and the value.
class SettingsError : public std::runtime_error {
  public:
    /// What PyTorch throws: a ValueError of its own, an internal assertion, or what `std::stoull`
    /// and `std::stod` throw for text that is no number and for numbers out of their range.
    enum class Kind { kValueError, kInternalAssert, kInvalidArgument, kOutOfRange };

    SettingsError(Kind kind, std::size_t offset, const std::string& what)
        : std::runtime_error(what), kind_(kind), offset_(offset) {}

    Kind kind() const { return kind_; }
    /// Where the offending token starts, in bytes from the start of the text; the text's size
    /// where a token is missing at its end.
    std::size_t offset() const { return offset_; }

  private:
    Kind kind_;
    std::size_t offset_;
};

/// The Python exception that settings of this kind raise when they are set at run time.
std::string_view python_exception(SettingsError::Kind kind);

}  // namespace highwater
