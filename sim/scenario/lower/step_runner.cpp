#include "sim/scenario/lower/step_runner.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/scenario/description/walk_steps.hpp"

namespace highwater {
namespace {

// Steps that only say what other steps do: in a capture in segments they neither begin a segment
// nor are left out of a replay.
bool is_frame(const StepKind& kind) {
    return std::holds_alternative<step::Loop>(kind) || std::holds_alternative<step::Choice>(kind) ||
           std::holds_alternative<step::OnStream>(kind) ||
           std::holds_alternative<step::OnThread>(kind) ||
           std::holds_alternative<step::Try>(kind) || std::holds_alternative<step::Call>(kind) ||
           std::holds_alternative<step::UseTemplate>(kind) ||
           std::holds_alternative<step::Layers>(kind) ||
           std::holds_alternative<step::Eager>(kind) || std::holds_alternative<step::Free>(kind);
}

}  // namespace

StepRunner::StepRunner(const Scenario& scenario, Position& position, ProgramBuilder& builder)
    : position_(position),
      builder_(builder),
      times_(scenario.machine.costs, position),
      names_(position, builder),
      workspaces_(scenario.workspaces, position, builder),
      phases_(*this, position, builder) {
    for (const Procedure& procedure : scenario.procedures) {
        procedures_.emplace(procedure.name.text, &procedure);
    }
    for (const Template& form : scenario.templates) {
        templates_.emplace(form.name.text, &form);
    }
}

void StepRunner::run(const StepList& steps) {
    for (const Step& step : steps) {
        run(step);
    }
}

void StepRunner::run(const Step& step) {
    position_.place = step.place;
    position_.work(1);
    if (segments != nullptr && !is_frame(step.kind) && !segments->takes_work()) {
        skip(step);
        return;
    }
    step_ = &step;
    std::visit(*this, step.kind);
    names_.end(step.last_uses);
}

// The step is in a graph that is replayed: what it made is the graph's own, and no name holds it.
void StepRunner::skip(const Step& step) {
    for (const ConstTensorUse& use : tensors_of(step.kind)) {
        if (use.is_made && use.tensor->slot) {
            names_.frame->drop(*use.tensor->slot, step.place);
        }
    }
    for (const StepList* body : bodies_of(step.kind)) {
        run(*body);
    }
    names_.end(step.last_uses);
}

void StepRunner::run(const StepList& steps, StreamId current) {
    const StreamId outside = std::exchange(position_.current, current);
    run(steps);
    position_.current = outside;
}

void StepRunner::operator()(const step::Alloc& step) {
    for (const auto& [tensor, size] : step.tensors) {
        names_.allocate_held(tensor, position_.size(size), position_.current);
    }
}

void StepRunner::operator()(const step::Free& step) {
    for (const TensorName& tensor : step.tensors) {
        names_.free(tensor);
    }
}

void StepRunner::operator()(const step::Kernel& step) {
    const SourcePlace place = position_.place;
    const StreamId on = position_.stream_or_current(step.stream);
    op::Kernel kernel{on, names_.tensors(step.reads), names_.tensors(step.writes)};
    times_.set(kernel, step.cost);
    builder_.launch(std::move(kernel), place);
}

void StepRunner::operator()(const step::WaitStream& step) {
    const StreamId waiting = position_.stream_or_current(step.stream);
    builder_.wait_stream(waiting, position_.stream(step.other), position_.place);
}

void StepRunner::operator()(const step::RecordEvent& step) {
    builder_.record_event(
        position_.name(step.event), position_.stream_or_current(step.stream), position_.place);
}

void StepRunner::operator()(const step::WaitEvent& step) {
    const StreamId waiting = position_.stream_or_current(step.stream);
    builder_.wait_event(waiting, position_.name(step.event), step.event.source.place);
}

void StepRunner::operator()(const step::RecordStream& step) {
    const StreamId on = position_.stream_or_current(step.stream);
    for (const TensorId tensor : names_.tensors({step.tensor})) {
        builder_.record_stream(tensor, on, step.tensor.reference.source.place);
    }
}

void StepRunner::operator()(const step::Synchronize& step) {
    if (step.stream) {
        builder_.synchronize(position_.stream(*step.stream), position_.place);
    } else {
        builder_.synchronize(std::nullopt, position_.place);
    }
}

void StepRunner::operator()(const step::EmptyCache&) {
    builder_.empty_cache(position_.place);
}

void StepRunner::operator()(const step::ResetPeaks&) {
    builder_.reset_peaks(position_.place);
}

void StepRunner::operator()(const step::Checkpoint& step) {
    builder_.checkpoint(position_.name(step.name), position_.place);
}

void StepRunner::operator()(const step::SetAllocator& step) {
    builder_.set_allocator_settings(step.conf, position_.place);
}

void StepRunner::operator()(const step::HoldStream& step) {
    builder_.hold_stream(position_.stream(step.stream), step.stream.source.place);
}

void StepRunner::operator()(const step::ReleaseStream& step) {
    builder_.release_stream(position_.stream(step.stream), step.stream.source.place);
}

}  // namespace highwater
