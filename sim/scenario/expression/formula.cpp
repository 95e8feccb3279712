#include "sim/scenario/expression/formula.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/expression/expression_parser.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

// Every call into the expression code goes through here: its errors get the place in the file.
template <typename Work>
auto with_place(const PlacedText& source, Work work) {
    try {
        return work();
    } catch (const ExpressionError& error) {
        throw InputError(source.at(error.offset()), error.what(), error.remedy());
    }
}

std::string result_text(std::string_view what, const Value& value) {
    return fmt::format("{} is {} (`{}`)", what, kind_of(value), quoted(to_text(value)));
}

std::int64_t require_whole(const Formula& formula, std::string_view what, const Value& value) {
    if (const std::optional<std::int64_t> integer = whole_number(value)) {
        return *integer;
    }
    throw InputError(
        formula.source.place,
        result_text(what, value),
        is_number(value) ? "make it an integer, with ceil(), floor() or //" : "make it an integer");
}

}  // namespace

Formula parse_formula(PlacedText source) {
    Expression tree = with_place(source, [&] { return parse_expression(source.text); });
    return {std::move(source), std::move(tree)};
}

Value evaluate(const Formula& formula, const Scope& scope) {
    return with_place(formula.source, [&] { return evaluate(formula.tree, scope); });
}

std::int64_t evaluate_integer(const Formula& formula,
                              const Scope& scope,
                              std::string_view what,
                              std::int64_t least,
                              std::int64_t most) {
    const std::int64_t integer = require_whole(formula, what, evaluate(formula, scope));
    if (integer < least || integer > most) {
        throw InputError(formula.source.place,
                         fmt::format("{} is {}", what, integer),
                         fmt::format("keep it between {} and {}", least, most));
    }
    return integer;
}

Bytes evaluate_size(const Formula& formula, const Scope& scope) {
    const std::int64_t size = require_whole(formula, "the size in bytes", evaluate(formula, scope));
    if (size < 0) {
        throw InputError(formula.source.place,
                         fmt::format("the size is negative ({} bytes)", size),
                         "make it 0 or more");
    }
    const Bytes bytes{static_cast<std::uint64_t>(size)};
    if (bytes > kMaxSize) {
        throw InputError(formula.source.place,
                         fmt::format("the size is {} bytes", size),
                         "keep it within 1024 TiB: is a unit applied twice?");
    }
    return bytes;
}

bool evaluate_condition(const Formula& formula, const Scope& scope) {
    const Value value = evaluate(formula, scope);
    if (const bool* truth = std::get_if<bool>(&value)) {
        return *truth;
    }
    throw InputError(
        formula.source.place, result_text("the condition", value), "compare it with something");
}

std::string evaluate_name(const Formula& reference, const Scope& scope) {
    return with_place(reference.source, [&] { return evaluate_name(reference.tree, scope); });
}

std::string base_name(const Formula& reference) {
    const Expression::Node* node = &reference.tree.root();
    while (const auto* subscript = std::get_if<Expression::Subscript>(&node->what)) {
        node = &reference.tree.at(subscript->object);
    }
    if (const auto* name = std::get_if<Expression::Name>(&node->what)) {
        return name->name;
    }
    throw InputError(reference.source.at(node->offset),
                     fmt::format("`{}` is not a name", quoted(reference.source.text)),
                     "write `name` or `name[index]`");
}

}  // namespace highwater
