#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/expression/expression_tree.hpp"

namespace highwater {

/// The names in an expression, by what they must stand for. Offsets are bytes of its text.
struct ExpressionNames {
    struct Use {
        std::string name;
        std::size_t offset = 0;
    };
    struct MemberUse {
        Use object;
        Use field;
    };

    /// Parameters and indices.
    std::vector<Use> values;
    std::vector<Use> functions;
    /// Figures of checkpoints.
    std::vector<MemberUse> members;
    // Of the functions of measures.
    std::vector<Use> tensors;
    std::vector<Use> checkpoints;
    std::vector<Use> streams;
    std::vector<Use> graphs;
};

/// `is_reference`: the whole expression is a name with indices, whose name is left out.
ExpressionNames names_in(const Expression& expression, bool is_reference);

}  // namespace highwater
