#include "sim/scenario/step_runner.hpp"

#include <utility>

#include <fmt/format.h>

namespace highwater {

StepRunner::StepRunner(const Scenario& scenario,
                       const ParameterValues& values,
                       const LoweringLimits& limits,
                       ProgramBuilder& builder)
    : limits_(limits), builder_(builder), scope_(values) {
    for (const Procedure& procedure : scenario.procedures) {
        procedures_.emplace(procedure.name.text, &procedure);
    }
}

void StepRunner::work(std::uint64_t amount) {
    work_done_ += amount;
    if (work_done_ > limits_.max_work) {
        throw InputError(
            place_,
            fmt::format("the scenario takes more than {} steps to carry out", limits_.max_work),
            "make its loops shorter");
    }
}

void StepRunner::run(const StepList& steps) {
    for (const Step& step : steps) {
        place_ = step.place;
        work(1);
        std::visit(*this, step.kind);
    }
}

void StepRunner::run(const StepList& steps, StreamId current) {
    const StreamId outside = std::exchange(current_, current);
    run(steps);
    current_ = outside;
}

const Scope& StepRunner::scope_for(const Formula& formula) {
    work(formula.tree.nodes.size());
    return scope_;
}

std::string StepRunner::name(const Formula& reference) {
    return evaluate_name(reference, scope_for(reference));
}

StreamId StepRunner::stream(const Formula& reference) {
    const std::string called = name(reference);
    return called == "current" ? current_ : builder_.stream(called, reference.source.place);
}

StreamId StepRunner::stream_or_current(const std::optional<Formula>& reference) {
    return reference ? stream(*reference) : current_;
}

std::vector<TensorId> StepRunner::tensors(const std::vector<Formula>& references) {
    std::vector<TensorId> ids;
    ids.reserve(references.size());
    for (const Formula& each : references) {
        ids.push_back(builder_.live_tensor(name(each), each.source.place));
    }
    return ids;
}

void StepRunner::operator()(const step::Alloc& step) {
    for (const auto& [tensor, size] : step.tensors_and_sizes) {
        const Bytes bytes = evaluate_size(size, scope_for(size));
        builder_.allocate(name(tensor), bytes, current_, tensor.source.place);
    }
}

void StepRunner::operator()(const step::Free& step) {
    for (const Formula& tensor : step.tensors) {
        builder_.free(name(tensor), tensor.source.place);
    }
}

void StepRunner::operator()(const step::Kernel& step) {
    const SourcePlace place = place_;
    const StreamId on = stream_or_current(step.stream);
    builder_.launch({on, tensors(step.reads), tensors(step.writes)}, place);
}

void StepRunner::operator()(const step::WaitStream& step) {
    builder_.wait_stream(stream_or_current(step.stream), stream(step.other), place_);
}

void StepRunner::operator()(const step::RecordEvent& step) {
    builder_.record_event(name(step.event), stream_or_current(step.stream), place_);
}

void StepRunner::operator()(const step::WaitEvent& step) {
    const StreamId waiting = stream_or_current(step.stream);
    builder_.wait_event(waiting, name(step.event), step.event.source.place);
}

void StepRunner::operator()(const step::RecordStream& step) {
    const StreamId on = stream_or_current(step.stream);
    builder_.record_stream(name(step.tensor), on, step.tensor.source.place);
}

void StepRunner::operator()(const step::Synchronize& step) {
    if (step.stream) {
        builder_.synchronize(stream(*step.stream), place_);
    } else {
        builder_.synchronize(std::nullopt, place_);
    }
}

void StepRunner::operator()(const step::EmptyCache&) {
    builder_.empty_cache(place_);
}

void StepRunner::operator()(const step::ResetPeaks&) {
    builder_.reset_peaks(place_);
}

void StepRunner::operator()(const step::Checkpoint& step) {
    builder_.checkpoint(name(step.name), place_);
}

void StepRunner::operator()(const step::SetAllocator& step) {
    builder_.set_allocator_settings(step.conf, place_);
}

void StepRunner::operator()(const step::HoldStream& step) {
    builder_.hold_stream(stream(step.stream), step.stream.source.place);
}

void StepRunner::operator()(const step::ReleaseStream& step) {
    builder_.release_stream(stream(step.stream), step.stream.source.place);
}

}  // namespace highwater
