#include "sim/scenario/walk_steps.hpp"

#include <optional>

namespace highwater {
namespace {

using Role = FormulaUse::Role;

// Finds the formulas of a step by the names of its members, which mean the same in all of them.
class Collector {
  public:
    std::vector<FormulaUse> uses;

    template <typename AnyStep>
    void operator()(const AnyStep& step) {
        if constexpr (requires { step.stream; }) {
            add(step.stream, Role::kStream);
        }
        if constexpr (requires { step.other; }) {
            add(step.other, Role::kStream);
        }
        if constexpr (requires { step.count; }) {
            add(step.count, Role::kValue);
        }
        if constexpr (requires { step.condition; }) {
            add(step.condition, Role::kValue);
        }
        add_names(step);
        add_lists(step);
    }

  private:
    void add(const Formula& formula, Role role) { uses.push_back({&formula, role}); }
    void add(const std::optional<Formula>& formula, Role role) {
        if (formula) {
            add(*formula, role);
        }
    }
    void add(const std::vector<Formula>& formulas, Role role) {
        for (const Formula& each : formulas) {
            add(each, role);
        }
    }

    template <typename AnyStep>
    void add_names(const AnyStep& step) {
        if constexpr (requires { step.tensor; }) {
            add(step.tensor, Role::kName);
        }
        if constexpr (requires { step.event; }) {
            add(step.event, Role::kName);
        }
        if constexpr (requires { step.graph; }) {
            add(step.graph, Role::kName);
        }
        if constexpr (requires { step.pool; }) {
            add(step.pool, Role::kName);
        }
        if constexpr (requires { step.name; }) {
            add(step.name, Role::kName);
        }
    }

    template <typename AnyStep>
    void add_lists(const AnyStep& step) {
        if constexpr (requires { step.tensors; }) {
            add(step.tensors, Role::kName);
        }
        if constexpr (requires { step.reads; }) {
            add(step.reads, Role::kName);
            add(step.writes, Role::kName);
        }
        if constexpr (requires { step.tensors_and_sizes; }) {
            for (const auto& [tensor, size] : step.tensors_and_sizes) {
                add(tensor, Role::kName);
                add(size, Role::kValue);
            }
        }
        if constexpr (requires { step.arguments; }) {
            for (const auto& [name, value] : step.arguments) {
                add(value, Role::kValue);
            }
        }
    }
};

}  // namespace

std::vector<FormulaUse> formulas_of(const StepKind& kind) {
    Collector collector;
    std::visit(collector, kind);
    return std::move(collector.uses);
}

std::vector<const StepList*> bodies_of(const StepKind& kind) {
    if (const auto* choice = std::get_if<step::Choice>(&kind)) {
        return {&choice->then, &choice->otherwise};
    }
    return std::visit(
        [](const auto& step) -> std::vector<const StepList*> {
            if constexpr (requires { step.body; }) {
                return {&step.body};
            } else {
                return {};
            }
        },
        kind);
}

}  // namespace highwater
