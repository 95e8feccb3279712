#include "sim/scenario/lower/parameter_unit.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/expression/expression_tokens.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr std::array<std::string_view, 3> kBytes{"B", "byte", "bytes"};

using Tokens = std::vector<Token>;

// What is no expression is refused, or taken for a text, where it is read.
Tokens tokens_of(const std::string& text) {
    try {
        return tokenize(text);
    } catch (const ExpressionError&) {
        return {};
    }
}

// `total / MiB` counts in MiB.
bool is_divisor(const Tokens& tokens, std::size_t i) {
    return i > 0 && tokens[i - 1].kind == Token::Kind::kSymbol &&
           (tokens[i - 1].text == "/" || tokens[i - 1].text == "//");
}

// An `s` that stands for itself is a name.
bool is_unit(const Tokens& tokens, std::size_t i) {
    const bool follows_number =
        i > 0 && tokens[i - 1].kind == Token::Kind::kLiteral && is_number(tokens[i - 1].value);
    return tokens[i].kind == Token::Kind::kName && !is_divisor(tokens, i) &&
           (follows_number ? find_unit(tokens[i].text).has_value()
                           : unit_value(tokens[i].text).has_value());
}

// `8 MiB` in MiB is 8, and in KiB 8192. In layers, and in us, it is perhaps 8.
std::string in_unit(const Token& number, const Unit& given, std::string_view unit) {
    const std::optional<Unit> wanted = find_unit(unit);
    const bool is_comparable = wanted && wanted->measures == given.measures;
    const double amount = as_real(number.value) * static_cast<double>(given.count) /
                          static_cast<double>(is_comparable ? wanted->count : given.count);
    const std::optional<std::int64_t> whole = whole_number(amount);
    return to_text(whole ? Value{*whole} : Value{amount});
}

std::string remedy_for(const Tokens& tokens, std::string_view unit) {
    constexpr std::size_t kNumberUnitEnd = 3;
    const bool is_literal = tokens.size() == kNumberUnitEnd && is_number(tokens[0].value);
    return is_literal
               ? fmt::format("write {}", in_unit(tokens[0], *find_unit(tokens[1].text), unit))
               : "write it without units";
}

}  // namespace

void require_unit(const PlacedText& value, std::string_view parameter, std::string_view unit) {
    if (unit.empty() || std::find(kBytes.begin(), kBytes.end(), unit) != kBytes.end()) {
        return;
    }
    const Tokens tokens = tokens_of(value.text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is_unit(tokens, i)) {
            throw InputError(value.place,
                             fmt::format("`{}` is in {}", parameter, quoted(unit)),
                             remedy_for(tokens, unit));
        }
    }
}

bool is_plain_number(const PlacedText& value) {
    const Tokens tokens = tokens_of(value.text);
    return !tokens.empty() && std::ranges::none_of(tokens, [](const Token& token) {
        return token.kind == Token::Kind::kName;
    });
}

void require_no_unit(const PlacedText& value, std::string_view parameter) {
    const auto says = [parameter](std::string_view word) {
        return parameter.find(word) != std::string_view::npos;
    };
    if (says("byte") || says("size") || says("memory")) {
        return;
    }
    const Tokens tokens = tokens_of(value.text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is_unit(tokens, i)) {
            throw InputError(value.place,
                             fmt::format("`{}` has no unit in the scenario, and `{}` has one",
                                         parameter,
                                         quoted(value.text)),
                             "write a plain number, or give the parameter's default a unit");
        }
    }
}

}  // namespace highwater
