#include "sim/scenario/lower/weight_loader.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/description/walk_steps.hpp"
#include "sim/scenario/lower/step_runner.hpp"

namespace highwater {

void WeightLoader::load(TemplateUse& use, const Arguments& arguments) {
    const Template& form = use.form();
    // They are the caller's expressions: its names are hidden once the scope is entered.
    std::vector<std::pair<std::string_view, Value>> known;
    for (const auto& [parameter, value] : arguments) {
        if (position_.can_evaluate(value)) {
            known.emplace_back(parameter.text, position_.value(value));
        }
    }
    const std::size_t callers = position_.scope.enter();
    for (auto& [parameter, value] : known) {
        position_.scope.push(parameter, std::move(value));
    }
    for (const auto& [name, value] : form.values) {
        push(name, value);
    }
    if (!use.weights.empty()) {
        throw InputError(position_.place,
                         fmt::format("the weights of `{}` are loaded already", form.name.text),
                         "load them once");
    }
    for (const Allocation& weight : form.weights) {
        const TensorId tensor = use.free_variable(*weight.tensor.slot, "", builder_);
        builder_.allocate(tensor,
                          position_.size(weight.size),
                          position_.current,
                          weight.tensor.reference.source.place);
        use.weights.push_back(tensor);
    }
    TemplateUse* const outside = std::exchange(use_, &use);
    const std::int64_t layers = std::exchange(layers_, 0);
    walk(form.body);
    use_ = outside;
    layers_ = layers;
    position_.scope.leave(callers);
}

// What depends on the bucket is not known here; weights do not depend on it.
void WeightLoader::push(const PlacedText& name, const Formula& value) {
    if (position_.can_evaluate(value)) {
        position_.scope.push(name.text, position_.value(value));
    }
}

void WeightLoader::walk(const StepList& steps) {
    for (const Step& step : steps) {
        position_.work(1);
        visit(step);
    }
}

// A loop runs the same modules again, but for `layers`.
void WeightLoader::visit(const Step& step) {
    if (const auto* use = std::get_if<step::UseTemplate>(&step.kind)) {
        visit(*use, step);
    } else if (const auto* layers = std::get_if<step::Layers>(&step.kind)) {
        visit(*layers);
    } else if (const auto* choice = std::get_if<step::Choice>(&step.kind)) {
        visit(*choice);
    } else if (const auto* call = std::get_if<step::Call>(&step.kind)) {
        visit(*call);
    } else {
        for (const StepList* body : bodies_of(step.kind)) {
            walk(*body);
        }
    }
}

void WeightLoader::visit(const step::UseTemplate& use, const Step& step) {
    const Template& form = steps_.find_template(use.name.text);
    load(use_->inner(step, position_.scope.layer(), form), use.arguments);
}

void WeightLoader::visit(const step::Layers& layers) {
    const std::int64_t count = position_.count(layers.count, "the count of layers");
    const std::optional<std::int64_t> outside = position_.scope.layer();
    for (std::int64_t i = 0; i < count; ++i) {
        position_.scope.exchange_layer(layers_++);
        position_.work(1);
        walk(layers.body);
    }
    position_.scope.exchange_layer(outside);
}

void WeightLoader::visit(const step::Call& call) {
    std::vector<std::pair<std::string_view, Value>> arguments;
    for (const auto& [name, value] : call.arguments) {
        if (position_.can_evaluate(value)) {
            arguments.emplace_back(name.text, position_.value(value));
        }
    }
    const std::size_t callers = position_.scope.enter();
    for (auto& [name, value] : arguments) {
        position_.scope.push(name, std::move(value));
    }
    walk(steps_.find_procedure(call.procedure.text).body);
    position_.scope.leave(callers);
}

void WeightLoader::visit(const step::Choice& choice) {
    if (!position_.can_evaluate(choice.condition)) {
        walk(choice.then);
        walk(choice.otherwise);
        return;
    }
    walk(position_.condition(choice.condition) ? choice.then : choice.otherwise);
}

}  // namespace highwater
