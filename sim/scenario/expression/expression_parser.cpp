#include "sim/scenario/expression/expression_parser.hpp"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/expression/expression_tokens.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

using NodeIndex = Expression::NodeIndex;

// Brackets, calls and prefixes nest to this depth: the parser and the evaluator recurse.
constexpr int kMaxNesting = 64;

enum Binding { kNothing, kOr, kAnd, kNot, kCompare, kSum, kProduct, kPrefix, kPostfix };

Binding binding_of(const Token& token) {
    constexpr std::array<std::pair<std::string_view, Binding>, 16> kBindings{{
        {"or", kOr},
        {"and", kAnd},
        {"==", kCompare},
        {"!=", kCompare},
        {"<", kCompare},
        {"<=", kCompare},
        {">", kCompare},
        {">=", kCompare},
        {"+", kSum},
        {"-", kSum},
        {"*", kProduct},
        {"/", kProduct},
        {"//", kProduct},
        {"%", kProduct},
        {"[", kPostfix},
        {".", kPostfix},
    }};
    for (const auto& [symbol, binding] : kBindings) {
        if (token.kind == Token::Kind::kSymbol && token.text == symbol) {
            return binding;
        }
    }
    return kNothing;
}

std::string shown(const Token& token) {
    return token.kind == Token::Kind::kEnd ? "the expression ends"
                                           : fmt::format("`{}` stands", quoted(token.text));
}

// Top-down operator precedence (Pratt): `expression(b)` reads all that binds tighter than `b`.
class Parser {
  public:
    explicit Parser(std::string_view text) : tokens_(tokenize(text)) {}

    Expression whole() {
        expression(kNothing);
        if (!at_end()) {
            refuse_rest();
        }
        return std::move(tree_);
    }

  private:
    const Token& peek() const { return tokens_[next_]; }
    bool at_end() const { return peek().kind == Token::Kind::kEnd; }
    bool at_symbol(std::string_view symbol) const {
        return peek().kind == Token::Kind::kSymbol && peek().text == symbol;
    }
    Token take() { return at_end() ? peek() : tokens_[next_++]; }
    void expect(std::string_view symbol);
    [[noreturn]] void refuse_rest() const;

    NodeIndex add(std::size_t offset, decltype(Expression::Node::what) what) {
        tree_.nodes.push_back({std::move(what), offset});
        return static_cast<NodeIndex>(tree_.nodes.size() - 1);
    }

    NodeIndex expression(Binding outer);
    NodeIndex prefix();
    NodeIndex parenthesised();
    NodeIndex named(const Token& name);
    NodeIndex number(const Token& literal);
    NodeIndex extended(NodeIndex left);
    std::vector<NodeIndex> arguments();

    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    int nesting_ = 0;
    Expression tree_;
};

void Parser::expect(std::string_view symbol) {
    if (!at_symbol(symbol)) {
        throw ExpressionError(
            peek().offset, fmt::format("{} where `{}` should be", shown(peek()), symbol), "add it");
    }
    take();
}

void Parser::refuse_rest() const {
    const bool is_assignment = at_symbol("=");
    throw ExpressionError(
        peek().offset,
        fmt::format("{} after the end of the expression", shown(peek())),
        is_assignment ? "compare with `==`" : "put an operator between, or drop it");
}

NodeIndex Parser::expression(Binding outer) {
    if (++nesting_ > kMaxNesting) {
        throw ExpressionError(peek().offset,
                              fmt::format("brackets nest deeper than {}", kMaxNesting),
                              "name parts of it as parameters");
    }
    NodeIndex left = prefix();
    while (binding_of(peek()) > outer) {
        left = extended(left);
    }
    --nesting_;
    return left;
}

NodeIndex Parser::prefix() {
    const Token token = take();
    if (token.kind == Token::Kind::kLiteral) {
        return number(token);
    }
    if (token.kind == Token::Kind::kName) {
        return named(token);
    }
    if (token.kind == Token::Kind::kSymbol && token.text == "(") {
        return parenthesised();
    }
    if (token.kind == Token::Kind::kSymbol && (token.text == "-" || token.text == "not")) {
        const NodeIndex operand = expression(token.text == "-" ? kPrefix : kNot);
        return add(token.offset, Expression::Unary{token.text, operand});
    }
    throw ExpressionError(token.offset,
                          fmt::format("{} where a value should be", shown(token)),
                          "write a number, a name, a call or a bracket");
}

NodeIndex Parser::parenthesised() {
    const NodeIndex inside = expression(kNothing);
    expect(")");
    return inside;
}

// `8 MiB` is one literal: a unit binds tighter than any operator.
NodeIndex Parser::number(const Token& literal) {
    if (!is_number(literal.value) || peek().kind != Token::Kind::kName) {
        return add(literal.offset, Expression::Literal{literal.value});
    }
    const Token name = take();
    const std::optional<Unit> unit = find_unit(name.text);
    if (!unit) {
        throw ExpressionError(name.offset,
                              fmt::format("`{}` is not a unit", quoted(name.text)),
                              suggestion(name.text, unit_names(), ""));
    }
    Value value = binary_operation("*", literal.value, Value{unit->count}, literal.offset);
    if (const std::optional<std::int64_t> whole = whole_number(value)) {
        value = *whole;
    }
    return add(literal.offset, Expression::Literal{value});
}

NodeIndex Parser::named(const Token& name) {
    if (!at_symbol("(")) {
        return add(name.offset, Expression::Name{name.text});
    }
    take();
    std::vector<NodeIndex> given = arguments();
    return add(name.offset, Expression::Call{name.text, std::move(given)});
}

std::vector<NodeIndex> Parser::arguments() {
    std::vector<NodeIndex> given;
    while (!at_symbol(")")) {
        given.push_back(expression(kNothing));
        if (!at_symbol(")")) {
            expect(",");
        }
    }
    take();
    return given;
}

NodeIndex Parser::extended(NodeIndex left) {
    const Token symbol = take();
    if (symbol.text == "[") {
        const NodeIndex index = expression(kNothing);
        expect("]");
        return add(symbol.offset, Expression::Subscript{left, index});
    }
    if (symbol.text == ".") {
        const Token field = take();
        if (field.kind != Token::Kind::kName) {
            throw ExpressionError(
                field.offset, "no field's name follows the dot", "write `after.reserved_bytes`");
        }
        return add(symbol.offset, Expression::Member{left, field.text});
    }
    const Binding binding = binding_of(symbol);
    const NodeIndex right = expression(binding);
    if (binding == kCompare && binding_of(peek()) == kCompare) {
        throw ExpressionError(
            peek().offset, "comparisons do not chain", "join two of them with `and`");
    }
    return add(symbol.offset, Expression::Binary{symbol.text, left, right});
}

}  // namespace

Expression parse_expression(std::string_view text) {
    return Parser(text).whole();
}

}  // namespace highwater
