#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/expression/value.hpp"

namespace highwater {

struct Token {
    enum class Kind { kEnd, kLiteral, kName, kSymbol };
    Kind kind = Kind::kEnd;
    /// The name, or the symbol in its first spelling: `&&` is `and`, `||` is `or`, `!` is `not`.
    std::string text;
    /// Of a literal.
    Value value;
    /// In bytes from the start of the expression.
    std::size_t offset = 0;
};

/// Longer expressions are refused: the tree of one is walked by recursion.
inline constexpr std::size_t kMaxExpressionLength = 2'000;

/// The last token is always `kEnd`. Throws `ExpressionError`.
std::vector<Token> tokenize(std::string_view text);

/// Is `text` one name: a letter or `_`, then letters, digits and `_`?
bool is_name(std::string_view text);

}  // namespace highwater
