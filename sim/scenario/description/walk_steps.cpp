#include "sim/scenario/description/walk_steps.hpp"

#include <optional>
#include <type_traits>

namespace highwater {
namespace {

using Role = FormulaUse::Role;

// Finds the formulas of a step by the names of its members, which mean the same in all of them.
class FormulaCollector {
  public:
    std::vector<FormulaUse> uses;

    template <typename AnyStep>
    void operator()(const AnyStep& step) {
        add_streams(step);
        add_values(step);
        add_names(step);
        add_lists(step);
        if constexpr (requires { step.pass; }) {
            add_pass(step.pass);
        }
        if constexpr (requires { step.options; }) {
            add_options(step.options);
        }
    }

  private:
    void add(const Formula& formula, Role role) { uses.push_back({&formula, role}); }
    void add(const TensorName& tensor, Role role) { add(tensor.reference, role); }
    void add(const Allocation& allocation, Role role) {
        add(allocation.tensor, role);
        add(allocation.size, Role::kValue);
    }
    void add(const step::Op::Made& made, Role role) { add(made.allocation, role); }
    void add(const std::pair<PlacedText, Formula>& argument, Role role) {
        add(argument.second, role);
    }
    void add(const BucketSpec& spec, Role role) {
        add(spec.items, role);
        add(spec.range, role);
        add(spec.powers_of_two, role);
        add(spec.min, role);
        add(spec.max, role);
    }
    void add(const BucketChoice& choice, Role role) { add(choice.own, role); }
    template <typename Any>
    void add(const std::optional<Any>& any, Role role) {
        if (any) {
            add(*any, role);
        }
    }
    template <typename Any>
    void add(const std::vector<Any>& all, Role role) {
        for (const Any& each : all) {
            add(each, role);
        }
    }

    void add(const KernelCost& cost, Role role) {
        add(cost.duration, role);
        add(cost.width, role);
        add(cost.flops, role);
        add(cost.bytes, role);
    }

    void add_pass(const step::Pass& pass) {
        add(pass.buckets, Role::kValue);
        add(pass.arguments, Role::kValue);
        add(pass.stream, Role::kStream);
    }

    void add_options(const step::CaptureOptions& options) {
        add(options.graph, Role::kName);
        add(options.pool_of, Role::kValue);
        if (options.output) {
            add(options.output->to, Role::kName);
        }
    }

    template <typename AnyStep>
    void add_streams(const AnyStep& step) {
        if constexpr (requires { step.stream; }) {
            add(step.stream, Role::kStream);
        }
        if constexpr (requires { step.other; }) {
            add(step.other, Role::kStream);
        }
        if constexpr (requires { step.end_on; }) {
            add(step.end_on, Role::kStream);
        }
    }

    template <typename AnyStep>
    void add_values(const AnyStep& step) {
        if constexpr (requires { step.count; }) {
            add(step.count, Role::kValue);
        }
        if constexpr (requires { step.condition; }) {
            add(step.condition, Role::kValue);
        }
        if constexpr (requires { step.times; }) {
            add(step.times, Role::kValue);
        }
        if constexpr (requires { step.cost; }) {
            add(step.cost, Role::kValue);
        }
        if constexpr (requires { step.duration; }) {
            add(step.duration, Role::kValue);
        }
        if constexpr (requires { step.size; }) {
            add(step.size, Role::kValue);
        }
        if constexpr (requires { step.within; }) {
            add(step.error, Role::kValue);
            add(step.within, Role::kValue);
        }
        if constexpr (requires { step.first_use; }) {
            add(step.first_use, Role::kValue);
            add(step.captured, Role::kValue);
        }
        if constexpr (requires { step.bytes_per_token; }) {
            add(step.bytes_per_token, Role::kValue);
            add(step.tokens, Role::kValue);
            add(step.block, Role::kValue);
            add(step.keep_free, Role::kValue);
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
        if constexpr (requires { step.from; }) {
            add(step.from, Role::kName);
            add(step.to, Role::kName);
        }
        if constexpr (std::is_same_v<AnyStep, step::Checkpoint> ||
                      std::is_same_v<AnyStep, step::Try> ||
                      std::is_same_v<AnyStep, step::AddDriverMemory> ||
                      std::is_same_v<AnyStep, step::RemoveDriverMemory> ||
                      std::is_same_v<AnyStep, step::MakeCommunicator>) {
            add(step.name, Role::kName);
        }
        if constexpr (requires { step.communicator; }) {
            add(step.communicator, Role::kName);
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
        if constexpr (requires { step.in; }) {
            add(step.in, Role::kName);
        }
        if constexpr (requires { step.in_place; }) {
            add(step.in_place, Role::kName);
            add(step.made, Role::kName);
        }
        if constexpr (requires { step.out; }) {
            add(step.out, Role::kName);
        }
        if constexpr (requires { step.of; }) {
            add(step.of, Role::kName);
            add(step.made, Role::kName);
        }
        if constexpr (requires { step.arguments; }) {
            add(step.arguments, Role::kValue);
        }
        if constexpr (requires { step.buckets; }) {
            add(step.buckets, Role::kValue);
        }
        if constexpr (requires { step.batches; }) {
            add(step.batches, Role::kValue);
        }
    }
};

// `Name` is a `TensorName`, const or not.
template <typename Name>
class TensorCollector {
  public:
    template <typename AnyStep>
    using Kind = std::conditional_t<std::is_const_v<Name>, const AnyStep, AnyStep>;

    std::vector<TensorUseOf<Name>> uses;

    template <typename AnyStep>
    void operator()(AnyStep& step) {
        if constexpr (requires { step.in; }) {
            mentions(step.in);
        }
        if constexpr (requires { step.in_place; }) {
            mentions(step.in_place);
        }
        if constexpr (requires { step.reads; }) {
            mentions(step.reads);
            mentions(step.writes);
        }
        if constexpr (requires { step.of; }) {
            mentions(step.of);
        }
        add_rest(step);
    }

  private:
    void add_rest(Kind<step::Alloc>& step) { makes(step.tensors); }
    void add_rest(Kind<step::Free>& step) { mentions(step.tensors); }
    void add_rest(Kind<step::RecordStream>& step) { mentions(step.tensor); }
    void add_rest(Kind<step::Memset>& step) { mentions(step.tensor); }
    void add_rest(Kind<step::Item>& step) { mentions(step.tensor); }
    void add_rest(Kind<step::AllReduce>& step) { mentions(step.tensor); }
    void add_rest(Kind<step::Copy>& step) {
        for (auto* each : {&step.from, &step.to}) {
            if (*each) {
                mentions(**each);
            }
        }
    }
    void add_rest(Kind<step::Op>& step) { makes(step.made); }
    void add_rest(Kind<step::UseTemplate>& step) { makes(step.out); }
    void add_rest(Kind<step::View>& step) { makes(step.made); }
    void add_rest(Kind<step::WeakView>& step) { makes(step.made); }
    void add_rest(Kind<step::KvCache>& step) { makes(step.tensor); }
    template <typename AnyStep>
    void add_rest(AnyStep& /*step*/) {}

    void mentions(Name& tensor) { uses.push_back({&tensor, false}); }
    void makes(Name& tensor) { uses.push_back({&tensor, true}); }
    void makes(auto& list) requires requires { list.begin(); }
    {
        for (auto& each : list) {
            makes(name_in(each));
        }
    }
    void mentions(auto& list) requires requires { list.begin(); }
    {
        for (auto& each : list) {
            mentions(each);
        }
    }

    static auto& name_in(auto& tensor) {
        if constexpr (requires { tensor.allocation; }) {
            return tensor.allocation.tensor;
        } else if constexpr (requires { tensor.tensor; }) {
            return tensor.tensor;
        } else {
            return tensor;
        }
    }
};

template <typename List, typename Kind>
std::vector<List*> bodies_in(Kind& kind) {
    if (auto* choice = std::get_if<step::Choice>(&kind)) {
        return {&choice->then, &choice->otherwise};
    }
    return std::visit(
        [](auto& step) -> std::vector<List*> {
            if constexpr (requires { step.body; }) {
                return {&step.body};
            } else {
                return {};
            }
        },
        kind);
}

}  // namespace

std::vector<FormulaUse> formulas_of(const StepKind& kind) {
    FormulaCollector collector;
    std::visit(collector, kind);
    return std::move(collector.uses);
}

std::vector<TensorUse> tensors_of(StepKind& kind) {
    TensorCollector<TensorName> collector;
    std::visit(collector, kind);
    return std::move(collector.uses);
}

std::vector<ConstTensorUse> tensors_of(const StepKind& kind) {
    TensorCollector<const TensorName> collector;
    std::visit(collector, kind);
    return std::move(collector.uses);
}

std::vector<const StepList*> bodies_of(const StepKind& kind) {
    return bodies_in<const StepList>(kind);
}

std::vector<StepList*> bodies_of(StepKind& kind) {
    return bodies_in<StepList>(kind);
}

}  // namespace highwater
