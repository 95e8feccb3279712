#include "sim/allocator/settings_tokens.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace highwater::settings_text {
namespace {

using Kind = SettingsError::Kind;

bool is_space(char c) {
    return std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos;
}
bool is_sign(char c) {
    return std::string_view(",:[]").find(c) != std::string_view::npos;
}

[[noreturn]] void refuse_number(Kind kind, const Value& value, std::string_view why) {
    throw SettingsError(
        kind, value.token.offset, fmt::format("{}: '{}' {}", value.key, value.token.text, why));
}

/// PyTorch lets the exceptions of the standard's own parsers through, so theirs are the rules.
template <typename Parse>
auto parse(const Value& value, Parse parse_text) {
    try {
        return parse_text(value.token.text);
    } catch (const std::invalid_argument&) {
        refuse_number(Kind::kInvalidArgument, value, "is not a number");
    } catch (const std::out_of_range&) {
        refuse_number(Kind::kOutOfRange, value, "is a number out of range");
    }
}

}  // namespace

Tokens::Tokens(std::string_view text) : end_offset_(text.size()) {
    bool in_word = false;
    for (std::size_t offset = 0; offset < text.size(); ++offset) {
        const char c = text[offset];
        if (is_space(c)) {
            continue;
        }
        if (!in_word || is_sign(c)) {
            tokens_.push_back({"", offset});
        }
        tokens_.back().text += c;
        in_word = !is_sign(c);
    }
}

const Token& Tokens::at(std::size_t place) const {
    if (place >= tokens_.size()) {
        const std::string after = tokens_.empty() ? "" : tokens_.back().text;
        throw SettingsError(Kind::kInternalAssert,
                            end_offset_,
                            fmt::format("the text ends after '{}', where more is needed", after));
    }
    return tokens_[place];
}

std::uint64_t Value::to_integer() const {
    return parse(*this, [](const std::string& text) { return std::stoull(text); });
}

double Value::to_number() const {
    return parse(*this, [](const std::string& text) { return std::stod(text); });
}

bool Value::to_bool() const {
    if (token.text != "True" && token.text != "False") {
        refuse("is neither True nor False");
    }
    return token.text == "True";
}

void Value::refuse(std::string_view why) const {
    refuse_number(Kind::kValueError, *this, why);
}

void TokenReader::skip_separator() {
    if (!at_end()) {
        take();
    }
}

Value TokenReader::take_value(std::string_view key) {
    skip_separator();
    return {key, take()};
}

void TokenReader::skip_list() {
    while (!at_end()) {
        if (take().text == "]") {
            return;
        }
    }
    refuse_open_list();
}

void TokenReader::skip_value(std::string_view key) {
    if (take_value(key).token.text == "[") {
        skip_list();
    }
}

void TokenReader::refuse_open_list() const {
    throw SettingsError(
        Kind::kInternalAssert, tokens_.end().offset, "the text ends before the list's ']'");
}

}  // namespace highwater::settings_text
