#include "sim/plan/budget/tensor_items.hpp"

#include <algorithm>
#include <map>
#include <variant>

namespace highwater::plan {
namespace {

// Allocations that no later operation frees. A run that fails has later operations, too.
std::set<std::size_t> never_freed(const Program& program) {
    std::map<TensorId, std::size_t> alive;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (const auto* alloc = std::get_if<op::Alloc>(&program.ops[i])) {
            alive[alloc->tensor] = i;
        } else if (const auto* rest = std::get_if<op::AllocRest>(&program.ops[i])) {
            alive[rest->tensor] = i;
        } else if (const auto* free = std::get_if<op::Free>(&program.ops[i])) {
            alive.erase(free->tensor);
        }
    }
    std::set<std::size_t> kept;
    for (const auto& [tensor, op] : alive) {
        kept.insert(op);
    }
    return kept;
}

}  // namespace

TensorItems::TensorItems(const Lowered& lowered)
    : lowered_(lowered),
      workspaces_(lowered.workspaces.begin(), lowered.workspaces.end()),
      kept_(never_freed(lowered.program)) {}

bool TensorItems::is_within(const Placement& placement, PhaseSpan::Kind kind) const {
    return std::ranges::any_of(lowered_.phases, [&](const PhaseSpan& span) {
        return span.kind == kind && span.first <= placement.op && placement.op < span.end;
    });
}

BudgetItem TensorItems::item_of(const Placement& placement) const {
    if (is_within(placement, PhaseSpan::Kind::kLoadWeights)) {
        return BudgetItem::kWeights;
    }
    if (is_within(placement, PhaseSpan::Kind::kKvCache)) {
        return BudgetItem::kKvCache;
    }
    if (workspaces_.contains(placement.tensor)) {
        return BudgetItem::kWorkspaces;
    }
    return kept_.contains(placement.op) ? BudgetItem::kStaticBuffers : BudgetItem::kTemporaries;
}

}  // namespace highwater::plan
