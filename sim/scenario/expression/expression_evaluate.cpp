#include "sim/scenario/expression/expression_evaluate.hpp"

#include <fmt/format.h>

#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/expression/expression_functions.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

using Node = Expression::Node;
using NodeIndex = Expression::NodeIndex;

class Evaluator {
  public:
    Evaluator(const Expression& expression, const Scope& scope)
        : expression_(expression), scope_(scope) {}

    Value value(const Node& node) const {
        return std::visit([&](const auto& what) { return value(what, node); }, node.what);
    }
    std::string name(const Node& node) const;

  private:
    Value value(NodeIndex index) const { return value(expression_.at(index)); }
    bool truth(NodeIndex index) const;

    Value value(const Expression::Literal& literal, const Node&) const { return literal.value; }
    Value value(const Expression::Name& name, const Node& node) const;
    Value value(const Expression::Unary& unary, const Node& node) const;
    Value value(const Expression::Binary& binary, const Node& node) const;
    Value value(const Expression::Call& call, const Node& node) const;
    Value value(const Expression::Subscript& subscript, const Node& node) const;
    Value value(const Expression::Member& member, const Node& node) const;

    Value chosen(const Expression::Call& call, const Node& node) const;
    Value measured(const MeasureFunction& function,
                   const Expression::Call& call,
                   const Node& node) const;

    const Expression& expression_;
    const Scope& scope_;
};

bool Evaluator::truth(NodeIndex index) const {
    const Value held = value(index);
    if (const bool* answer = std::get_if<bool>(&held)) {
        return *answer;
    }
    throw ExpressionError(
        expression_.at(index).offset,
        fmt::format("a condition is {} (`{}`)", kind_of(held), quoted(to_text(held))),
        "compare it with something");
}

Value Evaluator::value(const Expression::Name& name, const Node& node) const {
    if (std::optional<Value> found = scope_.find(name.name)) {
        return *std::move(found);
    }
    if (const std::optional<std::int64_t> unit = unit_value(name.name)) {
        return *unit;
    }
    throw ExpressionError(node.offset,
                          fmt::format("unknown name `{}`", quoted(name.name)),
                          suggestion(name.name, scope_.names(), "define it under `parameters`"));
}

Value Evaluator::value(const Expression::Unary& unary, const Node& node) const {
    if (unary.op == "not") {
        return !truth(unary.operand);
    }
    return negated(value(unary.operand), node.offset);
}

Value Evaluator::value(const Expression::Binary& binary, const Node& node) const {
    if (binary.op == "and") {
        return truth(binary.left) && truth(binary.right);
    }
    if (binary.op == "or") {
        return truth(binary.left) || truth(binary.right);
    }
    return binary_operation(binary.op, value(binary.left), value(binary.right), node.offset);
}

// Only the chosen side is evaluated: `if(n == 0, 0, total // n)` is safe.
Value Evaluator::chosen(const Expression::Call& call, const Node& node) const {
    constexpr std::size_t kSides = 3;
    if (call.arguments.size() != kSides) {
        throw ExpressionError(node.offset,
                              fmt::format("`if` takes 3, not {}", call.arguments.size()),
                              "write `if(condition, then, else)`");
    }
    return value(call.arguments[truth(call.arguments[0]) ? 1 : 2]);
}

Value Evaluator::measured(const MeasureFunction& function,
                          const Expression::Call& call,
                          const Node& node) const {
    if (call.arguments.size() == function.arguments.size()) {
        std::vector<std::string> names;
        for (const NodeIndex argument : call.arguments) {
            names.push_back(name(expression_.at(argument)));
        }
        if (const auto answer = scope_.measure(function.name, names)) {
            return *answer;
        }
    }
    throw ExpressionError(node.offset,
                          fmt::format("`{}` is a measure of {}", function.name, function.of),
                          fmt::format("write `{}` under `measures`", function.usage));
}

Value Evaluator::value(const Expression::Call& call, const Node& node) const {
    if (call.function == "if") {
        return chosen(call, node);
    }
    if (const MeasureFunction* function = find_measure_function(call.function)) {
        return measured(*function, call, node);
    }
    std::vector<Value> arguments;
    for (const NodeIndex argument : call.arguments) {
        arguments.push_back(value(argument));
    }
    if (std::optional<Value> result = call_function(call.function, arguments, node.offset)) {
        return *std::move(result);
    }
    throw ExpressionError(node.offset,
                          fmt::format("unknown function `{}`", quoted(call.function)),
                          suggestion(call.function, function_names(), ""));
}

Value Evaluator::value(const Expression::Subscript&, const Node& node) const {
    throw ExpressionError(node.offset,
                          "an index where a value should be",
                          "index streams, tensors, events, graphs and checkpoints only");
}

Value Evaluator::value(const Expression::Member& member, const Node& node) const {
    const std::string object = name(expression_.at(member.object));
    if (std::optional<Value> found = scope_.find_member(object, member.field)) {
        return *std::move(found);
    }
    throw ExpressionError(
        node.offset,
        fmt::format(
            "`{}.{}` where only parameters are known", quoted(object), quoted(member.field)),
        "use figures of checkpoints under `measures`");
}

std::string Evaluator::name(const Node& node) const {
    if (const auto* plain = std::get_if<Expression::Name>(&node.what)) {
        return plain->name;
    }
    const auto* subscript = std::get_if<Expression::Subscript>(&node.what);
    if (subscript == nullptr) {
        throw ExpressionError(node.offset, "this is not a name", "write `name` or `name[index]`");
    }
    const Value index = value(subscript->index);
    const std::optional<std::int64_t> integer = whole_number(index);
    if (!integer || *integer < 0) {
        throw ExpressionError(expression_.at(subscript->index).offset,
                              fmt::format("the index `{}`", quoted(to_text(index))),
                              "index with an integer from 0");
    }
    return fmt::format("{}[{}]", name(expression_.at(subscript->object)), *integer);
}

}  // namespace

Value evaluate(const Expression& expression, const Scope& scope) {
    return Evaluator(expression, scope).value(expression.root());
}

std::string evaluate_name(const Expression& expression, const Scope& scope) {
    return Evaluator(expression, scope).name(expression.root());
}

}  // namespace highwater
