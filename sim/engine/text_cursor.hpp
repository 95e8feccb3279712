#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/text_words.hpp"

namespace highwater {

/// Goes along the words of one line. Whatever is not as it should be is an `InputError` at the
/// word where it shows.
class TextCursor {
  public:
    /// `line.column` is ignored.
    TextCursor(std::string_view text, SourcePlace line);

    bool at_end() const { return next_ == words_.size(); }
    /// Whether the next word is one of the form's own; then it is taken.
    bool take_keyword(std::string_view keyword);
    bool is_keyword(std::string_view keyword) const;

    /// `what` says in an error what should have stood here: "the size".
    const Word& take(std::string_view what);
    void expect_keyword(std::string_view keyword);
    std::uint64_t take_number(std::string_view what);
    /// Digits, or hexadecimal ones after 0x.
    std::uint64_t take_hex(std::string_view what);
    /// From 0 to 1.
    double take_fraction(std::string_view what);
    /// Above 0 and at most 1.
    float take_share(std::string_view what);
    /// At most `kMaxDuration`.
    std::int64_t take_nanoseconds(std::string_view what);
    /// The place of the next word among `names`.
    std::size_t take_one_of(std::span<const std::string_view> names);
    void expect_end() const;

    SourcePlace place(const Word& word) const { return {line_.file, line_.line, word.column}; }

  private:
    std::uint64_t to_number(const Word& word,
                            std::string_view what,
                            std::string_view digits,
                            int base) const;
    [[noreturn]] void fail(const Word& word,
                           const std::string& problem,
                           const std::string& remedy) const;

    SourcePlace line_;
    std::size_t end_column_;
    std::vector<Word> words_;
    std::size_t next_ = 0;
};

}  // namespace highwater
