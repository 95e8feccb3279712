#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/scenario/expression/value.hpp"

namespace highwater {

/// A parsed expression. Its nodes lie in one vector, children before parents; a node names its
/// children by index, so that a tree copies and dies without recursion.
struct Expression {
    enum class NodeIndex : std::uint32_t {};

    struct Literal {
        Value value;
    };
    struct Name {
        std::string name;
    };
    /// `-` or `not`.
    struct Unary {
        std::string op;
        NodeIndex operand{};
    };
    struct Binary {
        std::string op;
        NodeIndex left{};
        NodeIndex right{};
    };
    struct Call {
        std::string function;
        std::vector<NodeIndex> arguments;
    };
    /// `aux[i]`.
    struct Subscript {
        NodeIndex object{};
        NodeIndex index{};
    };
    /// `after.reserved_bytes`.
    struct Member {
        NodeIndex object{};
        std::string field;
    };
    struct Node {
        std::variant<Literal, Name, Unary, Binary, Call, Subscript, Member> what;
        /// In bytes from the start of the text: of the name, the operator or the bracket.
        std::size_t offset = 0;
    };

    std::vector<Node> nodes;

    const Node& at(NodeIndex index) const { return nodes.at(static_cast<std::size_t>(index)); }
    /// The last node: parents come after their children.
    const Node& root() const { return nodes.back(); }
};

}  // namespace highwater
