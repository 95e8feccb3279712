#include "sim/scenario/expression/expression_arithmetic.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/core/check.hpp"
#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr std::int64_t kMinInteger = std::numeric_limits<std::int64_t>::min();

[[noreturn]] void refuse_overflow(std::size_t offset) {
    throw ExpressionError(
        offset, "the result does not fit a 64-bit integer", "make the numbers smaller");
}

[[noreturn]] void refuse_division_by_zero(std::size_t offset) {
    throw ExpressionError(offset, "a division by zero", "make the divisor positive");
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    const bool rounds_up = a % b != 0 && (a < 0) != (b < 0);
    return rounds_up ? quotient - 1 : quotient;
}

Value divided(std::string_view op, std::int64_t a, std::int64_t b, std::size_t offset) {
    if (b == 0) {
        refuse_division_by_zero(offset);
    }
    if (a == kMinInteger && b == -1) {
        refuse_overflow(offset);
    }
    if (op == "//") {
        return floor_divided(a, b);
    }
    if (op == "%") {
        return a - floor_divided(a, b) * b;
    }
    if (a % b == 0) {
        return a / b;
    }
    return static_cast<double>(a) / static_cast<double>(b);
}

Value on_integers(std::string_view op, std::int64_t a, std::int64_t b, std::size_t offset) {
    if (op == "/" || op == "//" || op == "%") {
        return divided(op, a, b, offset);
    }
    std::int64_t result = 0;
    bool overflows = false;
    if (op == "+") {
        overflows = __builtin_add_overflow(a, b, &result);
    } else if (op == "-") {
        overflows = __builtin_sub_overflow(a, b, &result);
    } else {
        check(op == "*", "an arithmetic operator is one of + - * / // %");
        overflows = __builtin_mul_overflow(a, b, &result);
    }
    if (overflows) {
        refuse_overflow(offset);
    }
    return result;
}

double real_result(std::string_view op, double a, double b) {
    if (op == "+") {
        return a + b;
    }
    if (op == "-") {
        return a - b;
    }
    if (op == "*") {
        return a * b;
    }
    if (op == "/") {
        return a / b;
    }
    return op == "//" ? std::floor(a / b) : a - std::floor(a / b) * b;
}

Value on_reals(std::string_view op, double a, double b, std::size_t offset) {
    if (b == 0 && (op == "/" || op == "//" || op == "%")) {
        refuse_division_by_zero(offset);
    }
    const double result = real_result(op, a, b);
    if (!std::isfinite(result)) {
        throw ExpressionError(offset, "the result does not fit a real", "make the numbers smaller");
    }
    return result;
}

template <typename T>
std::optional<bool> compared(std::string_view op, const T& a, const T& b) {
    if (op == "==") {
        return a == b;
    }
    if (op == "!=") {
        return a != b;
    }
    if (op == "<") {
        return a < b;
    }
    if (op == "<=") {
        return a <= b;
    }
    if (op == ">") {
        return a > b;
    }
    if (op == ">=") {
        return a >= b;
    }
    return std::nullopt;
}

std::optional<bool> compared_values(std::string_view op, const Value& left, const Value& right) {
    if (left.index() == right.index()) {
        return compared(op, left, right);
    }
    return compared(op, as_real(left), as_real(right));
}

[[noreturn]] void refuse_kinds(std::string_view op,
                               const Value& left,
                               const Value& right,
                               std::size_t offset) {
    throw ExpressionError(offset,
                          fmt::format("`{}` between {} (`{}`) and {} (`{}`)",
                                      op,
                                      kind_of(left),
                                      quoted(to_text(left)),
                                      kind_of(right),
                                      quoted(to_text(right))),
                          "compare like with like, and calculate with numbers only");
}

}  // namespace

Value binary_operation(std::string_view op,
                       const Value& left,
                       const Value& right,
                       std::size_t offset) {
    const bool numbers = is_number(left) && is_number(right);
    if (numbers || left.index() == right.index()) {
        if (const std::optional<bool> answer = compared_values(op, left, right)) {
            return *answer;
        }
    }
    if (!numbers) {
        refuse_kinds(op, left, right, offset);
    }
    const auto* a = std::get_if<std::int64_t>(&left);
    const auto* b = std::get_if<std::int64_t>(&right);
    return a != nullptr && b != nullptr ? on_integers(op, *a, *b, offset)
                                        : on_reals(op, as_real(left), as_real(right), offset);
}

Value negated(const Value& value, std::size_t offset) {
    return binary_operation("-", Value{std::int64_t{0}}, value, offset);
}

std::optional<std::int64_t> whole_number(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return *integer;
    }
    constexpr double kExact = 9007199254740992.0;  // 2^53
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr || std::trunc(*real) != *real || std::abs(*real) > kExact) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*real);
}

}  // namespace highwater
