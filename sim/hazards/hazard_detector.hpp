#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/run.hpp"
#include "sim/engine/run_observer.hpp"
#include "sim/hazards/captured_accesses.hpp"
#include "sim/hazards/happens_before.hpp"
#include "sim/hazards/hazard.hpp"
#include "sim/hazards/hazard_log.hpp"
#include "sim/hazards/shadow_memory.hpp"

namespace highwater {

/// Finds accesses to GPU memory that nothing orders, by happens-before, and reads of what is there
/// no longer, as a Program runs. Memory is what the allocator hands out in this run, so that a
/// tensor's kernels can race with those of the tensor that has its memory next.
///
/// What cannot be decided is not a hazard: which of a graph's replays a kernel meant, and whether
/// the Program looked at what a query of an event said.
class HazardDetector final : public RunObserver, private ShadowMemory::Listener {
  public:
    /// `program` is the one that runs, and outlives the detector.
    explicit HazardDetector(const Program& program);

    void take(const TraceEvent& event) override;
    void took(std::size_t op, const OpResult& result, const Executor& executor) override;
    void failed(std::size_t op, const Executor& executor) override;

    /// In the order in which they were found.
    const std::vector<Hazard>& hazards() const { return log_.hazards(); }
    /// How many there were beyond `HazardLog::kMost`.
    std::uint64_t unlisted() const { return log_.unlisted(); }

  private:
    struct Tensor {
        Instance instance = kNoInstance;
        Address begin;
        Address end;
        StreamId home{};
        std::uint32_t allocated = 0;
        bool in_default_pool = false;
        /// A graph uses it.
        bool captured = false;
        /// There is a weak view of it; it is one.
        bool is_viewed = false;
        bool is_view = false;
        TensorId view_of{};
        /// Of a weak view, what was there when it was taken.
        std::vector<RangeAccess> contents;
        /// None where memory may have lost its place: it is looked up.
        std::optional<ShadowMemory::Iterator> first;
        /// By `record_stream`.
        std::vector<allocator::Use> uses;
    };
    struct Event {
        Clock clock;
        /// It was recorded in this graph's capture.
        std::optional<GraphId> graph;
    };
    /// A capture that a stream takes part in.
    struct Part {
        GraphId graph{};
        CapturedAccesses* accesses = nullptr;
    };

    template <typename Other>
    void observe(const Other& /*orders nothing*/) {}
    void observe(const op::Alloc& op) { place(op.tensor, op.stream); }
    void observe(const op::AllocRest& op) { place(op.tensor, op.stream); }
    void observe(const op::Free& op);
    void observe(const op::WeakView& op);
    void observe(const op::RecordStream& op);
    void observe(const op::Kernel& op);
    void observe(const op::Memset& op);
    void observe(const op::Copy& op);
    void observe(const op::AllReduce& op);
    void observe(const op::HostFunction& op);
    void observe(const op::SwitchThread& op) { order_.switch_thread(op.thread); }
    void observe(const op::RecordEvent& op);
    void observe(const op::WaitEvent& op);
    void observe(const op::Synchronize& op);
    void observe(const op::SynchronizeEvent& op);
    void observe(const op::BeginCapture& op);
    void observe(const op::EndCapture& op);
    void observe(const op::Replay& op);
    void observe(const op::DestroyGraph& op) { graphs_.erase(op.graph); }

    void begin_op(std::size_t op, const Executor& executor);
    void place(TensorId tensor, StreamId home);
    ShadowMemory::Iterator first_cell(const Tensor& tensor);
    Part& part_of(StreamId stream) { return parts_[index_of(stream)]; }
    enum class Kind { kRead, kCopy, kWrite };
    void access(const Part& part, const WorkPoint& at, TensorId tensor, Kind kind);
    WorkPoint begin_work(const Part& part, StreamId stream);
    void leave_capture(GraphId graph);
    bool is_stale(const Access& access);
    std::optional<std::uint32_t> lost_by(const GraphEffect& graph);
    bool is_input_new(const GraphEffect& graph);
    std::vector<RangeAccess> contents_of(const Tensor& tensor);
    void look_through(const Tensor& view, const Access& access, const Clock& known);
    void give_back(const TraceEvent& event);
    void note_unmapped(const Access& access, ShadowMemory::Iterator cell, StreamId home);

    void unordered(const Access& first, const Access& second, ShadowMemory::Iterator cell) override;
    void overwritten(const Access& first,
                     const Access& second,
                     ShadowMemory::Iterator cell) override;
    void outrun(const Access& first, const Access& second, ShadowMemory::Iterator cell) override;
    Hazard hazard_of(const Access& first, const Access& second, ShadowMemory::Iterator cell);
    HazardKind kind_of(const Access& first,
                       const Access& second,
                       const ShadowMemory::Freed* freed) const;
    const ShadowMemory::Freed* find_freed(const Access& access, Address at);

    const Program& program_;
    HappensBefore order_;
    ShadowMemory memory_;
    HazardLog log_;
    std::uint32_t op_ = 0;
    bool routing_ = false;
    Placed placed_;
    bool in_default_pool_ = false;
    /// cudaMallocAsync: memory goes from stream to stream in their order, not in the host's.
    bool is_stream_ordered_ = false;
    Instance last_instance_ = kNoInstance;
    std::vector<Tensor> tensors_;
    std::vector<std::optional<Event>> events_;
    /// By stream.
    std::vector<Part> parts_;
    std::map<GraphId, CapturedAccesses> captures_;
    std::map<GraphId, GraphEffect> graphs_;
    /// Tensors of the default pool that graphs use and that were freed, and by which operations.
    std::map<Instance, std::uint32_t> stale_;
    /// Memory that the operation under way gave back to the device.
    std::vector<TraceEvent> given_back_;
    /// The capture whose nodes are compared.
    std::optional<GraphId> within_;
};

/// What a run of the Program with these options would find. Their observer is not called.
std::vector<Hazard> find_hazards(const Program& program, RunOptions options = {});

}  // namespace highwater
