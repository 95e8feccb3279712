#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace highwater {

/// One word of a line of the text form, without its quotes.
struct Word {
    std::string text;
    /// Counts bytes, from 1.
    std::size_t column = 0;
    /// A quoted word is never a keyword.
    bool quoted = false;
    friend bool operator==(const Word&, const Word&) = default;
};

/// The words of one line, up to a comment. Throws `InputError` for quotes that do not end and for
/// escapes that there are not. `line.column` is ignored.
std::vector<Word> split_words(std::string_view text, const SourcePlace& line);

/// `name` as a word that reads back as itself.
std::string word_of(std::string_view name);

/// `text` for a message: in backticks, on one line, cut when long.
std::string shown(std::string_view text);

}  // namespace highwater
