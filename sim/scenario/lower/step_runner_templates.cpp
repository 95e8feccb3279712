// StepRunner's steps that templates are made of.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/lower/step_runner.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {

void StepRunner::operator()(const step::Op& step) {
    const SourcePlace place = position_.place;
    op::Kernel kernel{position_.current, names_.tensors(step.in), names_.tensors(step.in_place)};
    kernel.reads.insert(kernel.reads.end(), kernel.writes.begin(), kernel.writes.end());
    std::vector<TensorId> made;
    for (const step::Op::Made& each : step.made) {
        const auto& [tensor, size] = each.allocation;
        made.push_back(names_.allocate(tensor, position_.size(size), position_.current));
    }
    const std::vector<TensorId> given_back = workspaces_.provide(step.uses);
    kernel.writes.insert(kernel.writes.end(), made.begin(), made.end());
    times_.set(kernel, step.cost);
    builder_.launch(std::move(kernel), place, step.name.text);
    for (const TensorId workspace : given_back) {
        builder_.release(workspace, place);
    }
    for (std::size_t i = made.size(); i-- > 0;) {
        if (step.made[i].is_scratch) {
            builder_.release(made[i], place);
        }
    }
    names_.end_used(step_->last_uses, [&](Slot slot) {
        return std::any_of(step.made.begin(), step.made.end(), [&](const auto& each) {
            return each.allocation.tensor.slot == slot;
        });
    });
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (!step.made[i].is_scratch) {
            names_.hold(step.made[i].allocation.tensor, made[i]);
        }
    }
}

const Template& StepRunner::find_template(const std::string& name) const {
    const auto found = templates_.find(name);
    check(found != templates_.end(), "`check_templates` has seen every use");
    return *found->second;
}

void StepRunner::operator()(const step::UseTemplate& step) {
    const SourcePlace place = position_.place;
    TemplateUse& around = names_.frame != nullptr ? names_.frame->use() : outermost_;
    TemplateUse& use = around.inner(*step_, position_.scope.layer(), find_template(step.name.text));
    const std::vector<Slot>& last_uses = step_->last_uses;
    const Tensors outputs = run_template(use, names_.optional_tensors(step.in), step.arguments);
    position_.place = place;
    names_.end_used(last_uses, [&](Slot slot) {
        return std::any_of(step.out.begin(), step.out.end(), [&](const TensorName& each) {
            return each.slot == slot;
        });
    });
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!outputs[i]) {
            // The graph that is replayed made it.
            if (i < step.out.size() && step.out[i].slot) {
                names_.free(step.out[i]);
            }
        } else if (i < step.out.size()) {
            names_.hold(step.out[i], *outputs[i]);
        } else {
            builder_.release(*outputs[i], place);
        }
    }
}

StepRunner::Tensors StepRunner::run_template(TemplateUse& use,
                                             const Tensors& inputs,
                                             const Arguments& arguments) {
    const std::size_t callers = enter_template(use.form(), arguments);
    Tensors outputs = run_in_frame(use, inputs);
    position_.scope.leave(callers);
    return outputs;
}

StepRunner::Tensors StepRunner::run_model(TemplateUse& use) {
    return run_in_frame(use, {});
}

StepRunner::Tensors StepRunner::run_in_frame(TemplateUse& use, const Tensors& inputs) {
    const Template& form = use.form();
    const SourcePlace place = position_.place;
    Frame frame(use, names_.frame, builder_);
    const auto bind = [&](const TensorName& name, std::optional<TensorId> tensor) {
        if (tensor) {
            builder_.retain(*tensor);
            frame.hold(*name.slot, "", *tensor, place);
        }
    };
    for (std::size_t i = 0; i < std::min(inputs.size(), form.in.size()); ++i) {
        bind(form.in[i], inputs[i]);
    }
    for (std::size_t i = 0; i < use.weights.size(); ++i) {
        bind(form.weights[i].tensor, use.weights[i]);
    }
    names_.frame = &frame;
    run(form.body);
    Tensors outputs = returned(form);
    frame.drop_all(place);
    names_.frame = frame.caller();
    return outputs;
}

std::size_t StepRunner::enter_template(const Template& form, const Arguments& arguments) {
    std::vector<Value> values;
    for (const auto& [parameter, value] : arguments) {
        values.push_back(position_.value(value));
    }
    const std::size_t callers = position_.scope.enter();
    for (std::size_t i = 0; i < values.size(); ++i) {
        position_.scope.push(arguments[i].first.text, std::move(values[i]));
    }
    for (const auto& [name, value] : form.values) {
        position_.scope.push(name.text, position_.value(value));
    }
    return callers;
}

StepRunner::Tensors StepRunner::returned(const Template& form) {
    Tensors outputs = names_.optional_tensors(form.out);
    for (const auto& each : outputs) {
        if (each) {
            builder_.retain(*each);
        }
    }
    return outputs;
}

void StepRunner::operator()(const step::View& step) {
    if (const std::optional<TensorId> of = names_.optional_tensor(step.of)) {
        builder_.retain(*of);
        names_.hold(step.made, *of);
    }
}

void StepRunner::operator()(const step::WeakView& step) {
    if (const std::optional<TensorId> of = names_.optional_tensor(step.of)) {
        const TensorId view = names_.free_variable(step.made);
        builder_.add_weak_view(view, *of, step.made.reference.source.place);
        names_.hold(step.made, view);
    }
}

std::map<std::string, StreamId>& StepRunner::branches() {
    return names_.frame != nullptr ? names_.frame->branches : branches_;
}

void StepRunner::wait(StreamId waiting, StreamId other) {
    if (waiting != other) {
        builder_.wait_stream(waiting, other, position_.place);
    }
}

void StepRunner::operator()(const step::Branch& step) {
    const StreamId side = position_.stream(step.stream);
    wait(side, position_.current);
    branches()[step.name.text] = side;
    run(step.body, side);
}

void StepRunner::operator()(const step::Join& step) {
    const auto branch = branches().find(step.branch.text);
    if (branch == branches().end() && names_.leaves_out_missing) {
        return;
    }
    if (branch == branches().end()) {
        throw InputError(step.branch.place,
                         fmt::format("the branch `{}` has not begun", quoted(step.branch.text)),
                         "join it after the step `branch`");
    }
    wait(position_.current, branch->second);
}

// Run again, as in a loop, they are the same layers.
void StepRunner::operator()(const step::Layers& step) {
    const std::int64_t count = position_.count(step.count, "the count of layers");
    const std::optional<std::int64_t> outside = position_.scope.layer();
    Frame& frame = *names_.frame;
    const auto [first, is_new] = frame.first_layers.try_emplace(&step, frame.layers);
    frame.layers += is_new ? count : 0;
    for (std::int64_t i = 0; i < count; ++i) {
        position_.scope.exchange_layer(first->second + i);
        position_.work(1);
        run(step.body);
    }
    position_.scope.exchange_layer(outside);
}

void StepRunner::operator()(const step::Eager& step) {
    if (segments == nullptr) {
        run(step.body);
        return;
    }
    Segments* const around = std::exchange(segments, nullptr);
    around->end_segment();
    run(step.body, around->outside());
    segments = around;
}

}  // namespace highwater
