#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/description/step.hpp"
#include "sim/scenario/lower/operation_times.hpp"
#include "sim/scenario/lower/phase_runner.hpp"
#include "sim/scenario/lower/phase_span.hpp"
#include "sim/scenario/lower/position.hpp"
#include "sim/scenario/lower/segments.hpp"
#include "sim/scenario/lower/tensor_names.hpp"
#include "sim/scenario/lower/workspaces.hpp"

namespace highwater {

/// Runs a scenario's steps, which writes their operations into a Program.
class StepRunner {
  public:
    StepRunner(const Scenario& scenario, Position& position, ProgramBuilder& builder);

    void run(const StepList& steps);
    /// With another current stream.
    void run(const StepList& steps, StreamId current);

    /// In place of a tensor that a graph under replay would have made there is none.
    using Tensors = std::vector<std::optional<TensorId>>;

    /// Runs the template with tensors of its own and gives back what it returns, each with a
    /// reference that the caller takes over.
    Tensors run_template(TemplateUse& use, const Tensors& inputs, const Arguments& arguments);
    /// As part of a pass whose names are defined.
    Tensors run_model(TemplateUse& use);

    const Template& find_template(const std::string& name) const;
    const Procedure& find_procedure(const std::string& name) const;
    TensorNames& names() { return names_; }
    const std::vector<ServedBucket>& served() const { return phases_.served(); }
    const std::vector<KvCacheOp>& kv_caches() const { return phases_.kv_caches(); }
    const std::vector<BucketSpan>& bucket_spans() const { return phases_.bucket_spans(); }
    std::size_t times_left_out() const { return times_.left_out(); }
    /// In the order in which they ran; what is between them is in none.
    const std::vector<PhaseSpan>& phase_spans() const { return phase_spans_; }
    /// What libraries allocated as workspaces.
    const std::vector<TensorId>& workspaces() const { return workspaces_.allocated(); }

    /// The capture or replay in segments under way, if any.
    Segments* segments = nullptr;

    void operator()(const step::Alloc& step);
    void operator()(const step::Free& step);
    void operator()(const step::Kernel& step);
    void operator()(const step::Memset& step);
    void operator()(const step::Copy& step);
    void operator()(const step::Item& step);
    void operator()(const step::HostFunction& step);
    void operator()(const step::HostWork& step);
    void operator()(const step::SynchronizeEvent& step);
    void operator()(const step::QueryEvent& step);
    void operator()(const step::WaitStream& step);
    void operator()(const step::RecordEvent& step);
    void operator()(const step::WaitEvent& step);
    void operator()(const step::RecordStream& step);
    void operator()(const step::Synchronize& step);
    void operator()(const step::AddDriverMemory& step);
    void operator()(const step::RemoveDriverMemory& step);
    void operator()(const step::MakeCommunicator& step);
    void operator()(const step::AllReduce& step);
    void operator()(const step::EmptyCache& step);
    void operator()(const step::ResetPeaks& step);
    void operator()(const step::Checkpoint& step);
    void operator()(const step::SetAllocator& step);
    void operator()(const step::HoldStream& step);
    void operator()(const step::ReleaseStream& step);
    void operator()(const step::Loop& step);
    void operator()(const step::Choice& step);
    void operator()(const step::OnStream& step);
    void operator()(const step::OnThread& step);
    void operator()(const step::Try& step);
    void operator()(const step::Call& step);
    void operator()(const step::Capture& step);
    void operator()(const step::Replay& step);
    void operator()(const step::DestroyGraph& step);
    void operator()(const step::GraphPoolHandle& step);
    void operator()(const step::CreateMemPool& step);
    void operator()(const step::UseMemPool& step);
    void operator()(const step::DestroyMemPool& step);
    void operator()(const step::SavePool& step);
    void operator()(const step::RestorePool& step);
    void operator()(const step::Op& step);
    void operator()(const step::UseTemplate& step);
    void operator()(const step::View& step);
    void operator()(const step::WeakView& step);
    void operator()(const step::Branch& step);
    void operator()(const step::Join& step);
    void operator()(const step::Layers& step);
    void operator()(const step::Eager& step);
    void operator()(const step::LoadWeights& step) {
        run_phase(PhaseSpan::Kind::kLoadWeights, step);
    }
    void operator()(const step::Forward& step) { run_phase(PhaseSpan::Kind::kForward, step); }
    void operator()(const step::CaptureBuckets& step) {
        run_phase(PhaseSpan::Kind::kCapture, step);
    }
    void operator()(const step::ReplayBuckets& step) { run_phase(PhaseSpan::Kind::kReplay, step); }
    void operator()(const step::DestroyGraphs& step) {
        run_phase(PhaseSpan::Kind::kDestroyGraphs, step);
    }
    void operator()(const step::Serve& step) { run_phase(PhaseSpan::Kind::kServe, step); }
    void operator()(const step::KvCache& step) { run_phase(PhaseSpan::Kind::kKvCache, step); }

  private:
    void run(const Step& step);
    void skip(const Step& step);
    template <typename Phase>
    void run_phase(PhaseSpan::Kind kind, const Phase& phase) {
        const std::size_t first = builder_.operations();
        const SourcePlace place = position_.place;
        phases_.run(phase);
        phase_spans_.push_back({kind, place, first, builder_.operations()});
    }
    Bytes size_of(const step::Copy& step, const op::Copy& copy, const SourcePlace& place);
    StreamId enter_capture(const step::Capture& step);
    void end_capture(const step::Capture& step, const SourcePlace& place);
    void wait(StreamId waiting, StreamId other);
    std::map<std::string, StreamId>& branches();
    /// Defines the template's parameters and values, and hides the caller's: the scope to go back
    /// to.
    std::size_t enter_template(const Template& form, const Arguments& arguments);
    Tensors run_in_frame(TemplateUse& use, const Tensors& inputs);
    Tensors returned(const Template& form);

    Position& position_;
    ProgramBuilder& builder_;
    OperationTimes times_;
    TensorNames names_;
    Workspaces workspaces_;
    PhaseRunner phases_;
    std::vector<PhaseSpan> phase_spans_;
    TemplateUse outermost_;
    std::map<std::string, const Procedure*, std::less<>> procedures_;
    std::map<std::string, const Template*, std::less<>> templates_;
    /// Of steps outside of templates.
    std::map<std::string, StreamId> branches_;
    const Step* step_ = nullptr;
};

}  // namespace highwater
