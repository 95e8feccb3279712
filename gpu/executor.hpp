#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/host_threads.hpp"
#include "gpu/measurement.hpp"
#include "gpu/memory_backend.hpp"
#include "gpu/rank.hpp"
#include "gpu/run_clock.hpp"
#include "gpu/stamps.hpp"
#include "sim/engine/program.hpp"

namespace highwater::gpu {

/// Where a tensor landed.
struct Landed {
    TensorId tensor{};
    Address address;
    Bytes size;
};
using StepResult = std::variant<std::monostate, Landed, NoMemory>;

/// Runs the operations of one Program on a card, one at a time. `step` throws `RefusedError` where
/// the framework or CUDA refuses, and `InputError` where the Program contradicts itself.
class Executor {
  public:
    /// All outlive it.
    Executor(const Program& program, Backend& backend, RunClock& clock, const Rank& rank);

    StepResult step(std::size_t index);
    /// A captured graph's row, and what it replayed, once the device is synchronised.
    void finish(Measurement& measurement) const;
    /// The Program's name of a pool; empty where it has none.
    std::string pool_name(PoolId pool) const;
    bool is_capturing() const { return captures_ > 0; }

    StepResult operator()(const op::Alloc& op);
    StepResult operator()(const op::AllocRest& op);
    StepResult operator()(const op::Free& op);
    StepResult operator()(const op::WeakView& op);
    StepResult operator()(const op::RecordStream& op);
    StepResult operator()(const op::Kernel& op);
    StepResult operator()(const op::Memset& op);
    StepResult operator()(const op::Copy& op);
    StepResult operator()(const op::HostFunction& op);
    StepResult operator()(const op::HostWork& op);
    StepResult operator()(const op::SwitchThread& op);
    StepResult operator()(const op::RecordEvent& op);
    StepResult operator()(const op::WaitEvent& op);
    StepResult operator()(const op::Synchronize& op);
    StepResult operator()(const op::SynchronizeEvent& op);
    StepResult operator()(const op::QueryEvent& op);
    StepResult operator()(const op::MakePoolHandle& op);
    StepResult operator()(const op::BeginCapture& op);
    StepResult operator()(const op::EndCapture& op);
    StepResult operator()(const op::Replay& op);
    StepResult operator()(const op::DestroyGraph& op);
    StepResult operator()(const op::CreatePool& op);
    StepResult operator()(const op::DestroyPool& op);
    StepResult operator()(const op::EnterPool& op);
    StepResult operator()(const op::LeavePool& op);
    StepResult operator()(const op::SavePool& op);
    StepResult operator()(const op::RestorePool& op);
    StepResult operator()(const op::AddDriverMemory& op);
    StepResult operator()(const op::RemoveDriverMemory& op);
    StepResult operator()(const op::MakeCommunicator& op);
    StepResult operator()(const op::AllReduce& op);
    StepResult operator()(const op::EmptyCache& op);
    StepResult operator()(const op::SetAllocatorSettings& op);
    StepResult operator()(const op::ResetPeaks& op);
    StepResult operator()(const op::Try& op);
    StepResult operator()(const op::EndTry& op);
    StepResult operator()(const op::Checkpoint& op);
    StepResult operator()(const op::HoldStream& op);
    StepResult operator()(const op::ReleaseStream& op);

  private:
    struct Tensor {
        bool live = false;
        /// No value for 0 bytes.
        std::optional<Memory> memory;
        bool is_view = false;
        /// What its writers stamp.
        StampedWord word;
        /// What its readers find; no value where nobody knows.
        std::optional<StampedWord> content;
    };
    struct Graph {
        /// Its capture began, well or not, and it is not destroyed.
        bool exists = false;
        StreamId origin{};
        Instant began{};
        /// In `rows_`; no value until its capture has ended well.
        std::optional<std::size_t> place;
    };
    struct Run {
        std::size_t place = 0;
        TimeMark begin{};
        TimeMark end{};
    };

    /// Its time on the card.
    struct TimedCollective {
        std::size_t place = 0;
        TimeMark begin{};
        TimeMark end{};
    };

    [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const;
    Tensor& live_tensor(TensorId id);
    Tensor& free_name(TensorId id);
    PoolId known_pool(PoolName name) const;
    StepResult allocate(TensorId id, Bytes size, StreamId stream);
    /// What a read of the tensor is to find, if that is known.
    void add_read(KernelWork& work, const Tensor& tensor);
    void look_before(const op::Copy& op);
    void note_copied(const op::Copy& op);
    void note_captured(GraphId id, const CaptureGraph& captured, Duration capture_time);
    /// Notes what the call takes of the card, and of the host's time.
    template <typename Call>
    void note_collective(Call&& call);
    const std::string& name_of(GraphId id) const { return program_.graphs[index_of(id)]; }

    const Program& program_;
    Card& card_;
    MemoryBackend& memory_;
    RunClock& clock_;
    Rank rank_;
    HostThreads threads_;
    std::size_t current_ = 0;
    ThreadId thread_ = kMainThread;
    std::uint64_t allocations_ = 0;
    std::size_t captures_ = 0;
    std::vector<Tensor> tensors_;
    std::vector<Graph> graphs_;
    std::vector<std::optional<PoolId>> pools_;
    std::vector<std::pair<PoolId, std::string>> pool_names_;
    std::vector<GraphRow> rows_;
    std::vector<MeasuredGraph> measured_;
    std::vector<Run> runs_;
    std::vector<MeasuredCollective> collectives_;
    std::vector<TimedCollective> timed_collectives_;
    std::uint64_t verified_reads_ = 0;
    std::uint64_t unverified_reads_ = 0;
};

}  // namespace highwater::gpu
