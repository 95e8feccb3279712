#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/local_scope.hpp"
#include "sim/scenario/lower.hpp"
#include "sim/scenario/program_builder.hpp"
#include "sim/scenario/step.hpp"

namespace highwater {

/// Runs a scenario's steps, which writes their operations into a Program.
class StepRunner {
  public:
    StepRunner(const Scenario& scenario,
               const ParameterValues& values,
               const LoweringLimits& limits,
               ProgramBuilder& builder);

    void add_streams(const std::vector<StreamGroup>& groups);
    void run(const StepList& steps);

    void operator()(const step::Alloc& step);
    void operator()(const step::Free& step);
    void operator()(const step::Kernel& step);
    void operator()(const step::WaitStream& step);
    void operator()(const step::RecordEvent& step);
    void operator()(const step::WaitEvent& step);
    void operator()(const step::RecordStream& step);
    void operator()(const step::Synchronize& step);
    void operator()(const step::EmptyCache& step);
    void operator()(const step::ResetPeaks& step);
    void operator()(const step::Checkpoint& step);
    void operator()(const step::SetAllocator& step);
    void operator()(const step::HoldStream& step);
    void operator()(const step::ReleaseStream& step);
    void operator()(const step::Loop& step);
    void operator()(const step::Choice& step);
    void operator()(const step::OnStream& step);
    void operator()(const step::Call& step);
    void operator()(const step::Capture& step);
    void operator()(const step::Replay& step);
    void operator()(const step::DestroyGraph& step);
    void operator()(const step::GraphPoolHandle& step);
    void operator()(const step::CreateMemPool& step);
    void operator()(const step::UseMemPool& step);
    void operator()(const step::DestroyMemPool& step);

  private:
    void run(const StepList& steps, StreamId current);
    StreamId enter_capture(const step::Capture& step);

    /// Counts the formula's evaluation as work, and gives the scope for it.
    const Scope& scope_for(const Formula& formula);
    void work(std::uint64_t amount);
    std::string name(const Formula& reference);
    StreamId stream(const Formula& reference);
    StreamId stream_or_current(const std::optional<Formula>& reference);
    std::vector<TensorId> tensors(const std::vector<Formula>& references);

    const LoweringLimits& limits_;
    ProgramBuilder& builder_;
    LocalScope scope_;
    std::map<std::string, const Procedure*, std::less<>> procedures_;
    StreamId current_ = kDefaultStream;
    SourcePlace place_;
    std::uint64_t work_done_ = 0;
};

}  // namespace highwater
