#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace highwater {

/// The bytes of the character at the beginning of `text`, which is not empty; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// What is no character, such as half of a surrogate pair, becomes U+FFFD.
void append_utf8(std::string& out, char32_t character);

/// `text` if it is UTF-8; else with U+FFFD for each byte that is not. `kept` keeps what is made.
std::string_view as_utf8(std::string_view text, std::string& kept);

}  // namespace highwater
