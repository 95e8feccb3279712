#include "sim/scenario/expression/expression_names.hpp"

#include <algorithm>
#include <optional>

#include "sim/scenario/expression/expression_functions.hpp"

namespace highwater {
namespace {

using Node = Expression::Node;
using NodeIndex = Expression::NodeIndex;
using Use = ExpressionNames::Use;

class NameCollector {
  public:
    explicit NameCollector(const Expression& expression) : expression_(expression) {}

    void value(const Node& node) {
        std::visit([&](const auto& what) { visit(what, node); }, node.what);
    }

    // The name at the bottom of `name[i][j]`; the indices are values. Nothing if it is no name: the
    // evaluator refuses that.
    std::optional<Use> reference(const Node& node) {
        if (const auto* name = std::get_if<Expression::Name>(&node.what)) {
            return Use{name->name, node.offset};
        }
        if (const auto* subscript = std::get_if<Expression::Subscript>(&node.what)) {
            value(expression_.at(subscript->index));
            return reference(expression_.at(subscript->object));
        }
        return std::nullopt;
    }

    ExpressionNames found;

  private:
    void value(NodeIndex index) { value(expression_.at(index)); }

    void visit(const Expression::Literal&, const Node&) {}
    void visit(const Expression::Name& name, const Node& node) {
        found.values.push_back({name.name, node.offset});
    }
    void visit(const Expression::Unary& unary, const Node&) { value(unary.operand); }
    void visit(const Expression::Binary& binary, const Node&) {
        value(binary.left);
        value(binary.right);
    }
    void visit(const Expression::Subscript&, const Node& node) { reference(node); }
    void visit(const Expression::Member& member, const Node& node) {
        if (auto object = reference(expression_.at(member.object))) {
            found.members.push_back({*std::move(object), {member.field, node.offset + 1}});
        }
    }
    void visit(const Expression::Call& call, const Node& node) {
        found.functions.push_back({call.function, node.offset});
        if (const MeasureFunction* function = find_measure_function(call.function)) {
            add_names(call, *function);
            return;
        }
        for (const NodeIndex argument : call.arguments) {
            value(argument);
        }
    }
    void add_names(const Expression::Call& call, const MeasureFunction& function) {
        const std::size_t count = std::min(call.arguments.size(), function.arguments.size());
        for (std::size_t i = 0; i < count; ++i) {
            if (auto name = reference(expression_.at(call.arguments[i]))) {
                uses_of(function.arguments[i]).push_back(*std::move(name));
            }
        }
    }
    std::vector<Use>& uses_of(MeasureFunction::Name name) {
        switch (name) {
            case MeasureFunction::Name::kTensor:
                return found.tensors;
            case MeasureFunction::Name::kCheckpoint:
                return found.checkpoints;
            case MeasureFunction::Name::kStream:
                return found.streams;
            case MeasureFunction::Name::kGraph:
                break;
        }
        return found.graphs;
    }

    const Expression& expression_;
};

}  // namespace

ExpressionNames names_in(const Expression& expression, bool is_reference) {
    NameCollector collector(expression);
    if (is_reference) {
        collector.reference(expression.root());
    } else {
        collector.value(expression.root());
    }
    return std::move(collector.found);
}

}  // namespace highwater
