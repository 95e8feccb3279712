#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/scenario/expression/value.hpp"

namespace highwater {

/// `left op right` for + - * / // % == != < <= > >=. Integers stay exact: an overflow is refused,
/// and `/` gives an integer only where it divides exactly. `//` and `%` round down, as in Python.
/// Throws `ExpressionError` at `offset`.
Value binary_operation(std::string_view op,
                       const Value& left,
                       const Value& right,
                       std::size_t offset);

/// `-value`.
Value negated(const Value& value, std::size_t offset);

/// The integer that `value` is: an integer, or a real without a fraction, up to 2^53 so that no
/// digit of it was lost.
std::optional<std::int64_t> whole_number(const Value& value);

}  // namespace highwater
