#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace highwater {

/// Longer scenario files are refused.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

/// The text as the YAML parser should see it: without a byte order mark, lines ending in `\n`.
/// Throws `InputError` for text that is too long, empty, or not UTF-8 without control characters.
std::string normalised_source(std::string_view text, const std::string& file);

/// How many characters of UTF-8 `text` has.
std::size_t count_characters(std::string_view text);

}  // namespace highwater
