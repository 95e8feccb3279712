#pragma once

#include <string_view>

#include "sim/scenario/expression/expression_tree.hpp"

namespace highwater {

/// Reads an expression. From weak to strong: `or`, `and`, `not`, comparisons (which do not chain),
/// `+ -`, `* / // %`, unary `-`, a number's unit, `f(x)`, `x[i]` and `x.y`.
/// Throws `ExpressionError`.
Expression parse_expression(std::string_view text);

}  // namespace highwater
