#include "sim/scenario/expression/expression_tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kSpaces = " \t\n\r";

bool is_digit(char c) {
    return kDigits.find(c) != std::string_view::npos;
}
bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
    return starts_name(c) || is_digit(c);
}

// Two-character symbols come first, so that `<=` is not read as `<`.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kSymbols{{
    {"//", "//"}, {"<=", "<="}, {">=", ">="}, {"==", "=="}, {"!=", "!="}, {"&&", "and"},
    {"||", "or"}, {"+", "+"},   {"-", "-"},   {"*", "*"},   {"/", "/"},   {"%", "%"},
    {"<", "<"},   {">", ">"},   {"!", "not"}, {"(", "("},   {")", ")"},   {"[", "["},
    {"]", "]"},   {",", ","},   {".", "."},   {"=", "="},
}};

class Tokenizer {
  public:
    explicit Tokenizer(std::string_view text) : text_(text) {}

    std::vector<Token> all() {
        std::vector<Token> tokens;
        do {
            tokens.push_back(next());
        } while (tokens.back().kind != Token::Kind::kEnd);
        return tokens;
    }

  private:
    Token next();
    Token number();
    Token quoted_text();
    Token name();
    Token symbol();

    std::size_t end_of_digits(std::size_t from) const {
        return std::min(text_.find_first_not_of(kDigits, from), text_.size());
    }
    std::size_t end_of_exponent(std::size_t from) const;
    char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

    std::string_view text_;
    std::size_t offset_ = 0;
};

Token Tokenizer::next() {
    offset_ = std::min(text_.find_first_not_of(kSpaces, offset_), text_.size());
    if (offset_ == text_.size()) {
        return {Token::Kind::kEnd, {}, {}, offset_};
    }
    const char c = text_[offset_];
    if (is_digit(c) || (c == '.' && is_digit(at(offset_ + 1)))) {
        return number();
    }
    if (c == '"' || c == '\'') {
        return quoted_text();
    }
    return starts_name(c) ? name() : symbol();
}

// `1e6` has an exponent; `1 e` and `1 elephant` have not.
std::size_t Tokenizer::end_of_exponent(std::size_t from) const {
    if (at(from) != 'e' && at(from) != 'E') {
        return from;
    }
    const bool has_sign = at(from + 1) == '+' || at(from + 1) == '-';
    const std::size_t digits = from + (has_sign ? 2 : 1);
    return is_digit(at(digits)) ? end_of_digits(digits) : from;
}

std::optional<Value> to_number(std::string_view digits) {
    const char* const end = digits.data() + digits.size();
    if (digits.find_first_not_of(kDigits) == std::string_view::npos) {
        std::int64_t integer = 0;
        const auto [rest, error] = std::from_chars(digits.data(), end, integer);
        return error == std::errc{} && rest == end ? std::optional<Value>(integer) : std::nullopt;
    }
    double real = 0;
    const auto [rest, error] = std::from_chars(digits.data(), end, real);
    const bool good = error == std::errc{} && rest == end && std::isfinite(real);
    return good ? std::optional<Value>(real) : std::nullopt;
}

Token Tokenizer::number() {
    const std::size_t begin = offset_;
    std::size_t end = end_of_digits(begin);
    if (at(end) == '.' && !starts_name(at(end + 1))) {
        end = end_of_digits(end + 1);
    }
    end = end_of_exponent(end);
    const std::string_view digits = text_.substr(begin, end - begin);
    const std::optional<Value> value = to_number(digits);
    if (!value) {
        throw ExpressionError(begin,
                              fmt::format("`{}` is not a number that fits", quoted(digits)),
                              "integers go up to 2^63 - 1");
    }
    offset_ = end;
    return {Token::Kind::kLiteral, std::string(digits), *value, begin};
}

Token Tokenizer::quoted_text() {
    const std::size_t begin = offset_;
    const std::size_t end = text_.find(text_[begin], begin + 1);
    if (end == std::string_view::npos) {
        throw ExpressionError(
            begin, "the text that begins here does not end", "close it with the same quote");
    }
    const std::string inside(text_.substr(begin + 1, end - begin - 1));
    offset_ = end + 1;
    return {Token::Kind::kLiteral, inside, inside, begin};
}

Token Tokenizer::name() {
    const std::size_t begin = offset_;
    while (continues_name(at(offset_))) {
        ++offset_;
    }
    const std::string_view word = text_.substr(begin, offset_ - begin);
    if (word == "true" || word == "false") {
        return {Token::Kind::kLiteral, std::string(word), word == "true", begin};
    }
    const bool is_operator = word == "and" || word == "or" || word == "not";
    return {is_operator ? Token::Kind::kSymbol : Token::Kind::kName, std::string(word), {}, begin};
}

Token Tokenizer::symbol() {
    for (const auto& [spelling, meaning] : kSymbols) {
        if (text_.substr(offset_, spelling.size()) == spelling) {
            const std::size_t begin = std::exchange(offset_, offset_ + spelling.size());
            return {Token::Kind::kSymbol, std::string(meaning), {}, begin};
        }
    }
    throw ExpressionError(
        offset_,
        fmt::format("`{}` has no meaning in an expression", quoted(text_.substr(offset_, 1))),
        "use + - * / // %, comparisons, and, or, not, calls and units");
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
    if (text.size() > kMaxExpressionLength) {
        throw ExpressionError(
            kMaxExpressionLength,
            fmt::format("the expression is {} characters long", text.size()),
            fmt::format("keep it to {}: name parts of it as parameters", kMaxExpressionLength));
    }
    return Tokenizer(text).all();
}

bool is_name(std::string_view text) {
    return !text.empty() && starts_name(text.front()) &&
           std::all_of(text.begin(), text.end(), continues_name);
}

}  // namespace highwater
