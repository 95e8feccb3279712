#include "sim/engine/passing.hpp"

#include <set>
#include <variant>

namespace highwater {
namespace {

bool happens_in_passing(const Op& op, const std::set<TensorId>& made) {
    if (const auto* freed = std::get_if<op::Free>(&op)) {
        return made.contains(freed->tensor);
    }
    return std::holds_alternative<op::EndCapture>(op) ||
           std::holds_alternative<op::LeavePool>(op) ||
           std::holds_alternative<op::SwitchThread>(op);
}

// By the tensors' last placement.
std::set<TensorId> made_in(const Tried& tried, const std::vector<Placement>& placements) {
    std::set<TensorId> made;
    for (std::size_t i = tried.placements; i < placements.size(); ++i) {
        made.insert(placements[i].tensor);
    }
    return made;
}

}  // namespace

Passing passing_of(const Program& program,
                   std::size_t failed,
                   const Tried& tried,
                   const std::vector<Placement>& placements) {
    const std::set<TensorId> made = made_in(tried, placements);
    Passing passing{{}, failed};
    std::size_t depth = 1;
    std::size_t not_entered = std::holds_alternative<op::EnterPool>(program.ops[failed]) ? 1 : 0;
    while (depth > 0 && ++passing.end < program.ops.size()) {
        const Op& op = program.ops[passing.end];
        if (std::holds_alternative<op::Try>(op)) {
            ++depth;
        } else if (std::holds_alternative<op::EndTry>(op)) {
            --depth;
        } else if (std::holds_alternative<op::EnterPool>(op)) {
            ++not_entered;
        } else if (std::holds_alternative<op::LeavePool>(op) && not_entered > 0) {
            --not_entered;
        } else if (happens_in_passing(op, made)) {
            passing.ops.push_back(passing.end);
        }
    }
    return passing;
}

}  // namespace highwater
