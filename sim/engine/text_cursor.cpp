#include "sim/engine/text_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/engine/program.hpp"

namespace highwater {
namespace {

constexpr int kDecimal = 10;
constexpr int kHexadecimal = 16;
constexpr std::string_view kHexPrefix = "0x";

}  // namespace

TextCursor::TextCursor(std::string_view text, SourcePlace line)
    : line_(std::move(line)), end_column_(text.size() + 1), words_(split_words(text, line_)) {}

bool TextCursor::is_keyword(std::string_view keyword) const {
    return !at_end() && !words_[next_].quoted && words_[next_].text == keyword;
}

bool TextCursor::take_keyword(std::string_view keyword) {
    const bool is_here = is_keyword(keyword);
    next_ += is_here ? 1 : 0;
    return is_here;
}

const Word& TextCursor::take(std::string_view what) {
    if (at_end()) {
        throw InputError({line_.file, line_.line, end_column_},
                         fmt::format("the line ends before {}", what),
                         "add it");
    }
    return words_[next_++];
}

void TextCursor::expect_keyword(std::string_view keyword) {
    const Word& word = take(fmt::format("`{}`", keyword));
    if (word.quoted || word.text != keyword) {
        fail(word,
             fmt::format("{} stands where `{}` should", shown(word.text), keyword),
             fmt::format("write `{}` here", keyword));
    }
}

std::uint64_t TextCursor::take_number(std::string_view what) {
    const Word& word = take(what);
    return to_number(word, what, word.text, kDecimal);
}

std::uint64_t TextCursor::take_hex(std::string_view what) {
    const Word& word = take(what);
    const std::string_view text = word.text;
    return text.starts_with(kHexPrefix)
               ? to_number(word, what, text.substr(kHexPrefix.size()), kHexadecimal)
               : to_number(word, what, text, kDecimal);
}

std::uint64_t TextCursor::to_number(const Word& word,
                                    std::string_view what,
                                    std::string_view digits,
                                    int base) const {
    const char* const end = digits.data() + digits.size();
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, number, base);
    if (error == std::errc::result_out_of_range) {
        fail(word, fmt::format("{} is too large", what), "it has to stay below 2^64");
    }
    if (error != std::errc{} || stop != end) {
        fail(word,
             fmt::format("{} is not a number: {}", what, shown(word.text)),
             base == kDecimal ? "write digits only" : "write hexadecimal digits after 0x");
    }
    return number;
}

double TextCursor::take_fraction(std::string_view what) {
    const Word& word = take(what);
    const char* const end = word.text.data() + word.text.size();
    double number = 0;
    const auto [stop, error] = std::from_chars(word.text.data(), end, number);
    // Written so that "nan" fails too.
    if (error != std::errc{} || stop != end || !(number >= 0 && number <= 1)) {
        fail(word,
             fmt::format("{} is not a number from 0 to 1: {}", what, shown(word.text)),
             "write one, for example 0.9");
    }
    return number;
}

float TextCursor::take_share(std::string_view what) {
    const Word& word = take(what);
    const char* const end = word.text.data() + word.text.size();
    float number = 0;
    const auto [stop, error] = std::from_chars(word.text.data(), end, number);
    if (error != std::errc{} || stop != end || !(number > 0 && number <= 1)) {
        fail(word,
             fmt::format("{} is not a number above 0 and up to 1: {}", what, shown(word.text)),
             "write one, for example 0.25");
    }
    return number;
}

std::int64_t TextCursor::take_nanoseconds(std::string_view what) {
    const Word& word = take(what);
    const std::uint64_t number = to_number(word, what, word.text, kDecimal);
    if (number > static_cast<std::uint64_t>(kMaxDuration.count())) {
        fail(word,
             fmt::format("{} is longer than an hour", what),
             fmt::format("give at most {}", kMaxDuration.count()));
    }
    return static_cast<std::int64_t>(number);
}

std::size_t TextCursor::take_one_of(std::span<const std::string_view> names) {
    const std::string all = fmt::format("one of {}", fmt::join(names, ", "));
    const Word& word = take(all);
    const auto found = std::ranges::find(names, word.text);
    if (word.quoted || found == names.end()) {
        fail(word, fmt::format("{} is not {}", shown(word.text), all), "write one of these");
    }
    return static_cast<std::size_t>(found - names.begin());
}

void TextCursor::expect_end() const {
    if (!at_end()) {
        const Word& word = words_[next_];
        fail(word,
             fmt::format("{} is more than this line takes", shown(word.text)),
             "end the line before it, or begin a comment with `#`");
    }
}

void TextCursor::fail(const Word& word,
                      const std::string& problem,
                      const std::string& remedy) const {
    throw InputError(place(word), problem, remedy);
}

}  // namespace highwater
