#pragma once

#include <string>
#include <string_view>

namespace highwater::pickle {

/// What is no character, such as half of a surrogate pair, becomes U+FFFD.
void append_utf8(std::string& out, char32_t character);

/// `text` if it is UTF-8; else with U+FFFD for each byte that is not. `kept` keeps what is made.
std::string_view as_utf8(std::string_view text, std::string& kept);

}  // namespace highwater::pickle
