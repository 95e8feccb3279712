#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/allocator/settings.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/program.hpp"
#include "sim/scenario/lower/name_table.hpp"
#include "sim/scenario/lower/stream_pool.hpp"
#include "sim/scenario/text/placed_text.hpp"

namespace highwater {

/// Writes a Program operation by operation, for every front end of the scenario language. Keeps
/// track of what is alive, and refuses what no process could do: an `InputError` at the place where
/// the operation was written.
class ProgramBuilder {
  public:
    /// Names and operations together: a Program of this many takes some gigabytes.
    static constexpr std::size_t kMaxOperations = 50'000'000;

    explicit ProgramBuilder(Machine machine, std::size_t max_operations = kMaxOperations);

    Program finish() &&;

    // Streams.

    /// `torch.cuda.Stream(priority)`. One CUDA stream may get several names: see `StreamPool`.
    StreamId add_stream(const std::string& name, std::int64_t priority);
    /// Of other code than PyTorch, made by cudaStreamCreate.
    StreamId add_blocking_stream(const std::string& name);
    StreamId stream(std::string_view name, const SourcePlace& place) const;
    /// The stream that `torch.cuda.graph` takes from the pool when it is first used without one.
    StreamId default_capture_stream();
    const std::string& name_of(StreamId stream) const {
        return program_.streams[index_of(stream)].name;
    }
    void hold_stream(StreamId stream, const SourcePlace& place);
    void release_stream(StreamId stream, const SourcePlace& place);
    void synchronize(std::optional<StreamId> stream, const SourcePlace& place);

    // Tensors.

    // By the scenario's names: each is a variable that may be set again once it is free.

    void allocate(const std::string& tensor, Bytes size, StreamId stream, const SourcePlace& place);
    void free(const std::string& tensor, const SourcePlace& place);
    /// The id of a tensor that is allocated here.
    TensorId live_tensor(const std::string& tensor, const SourcePlace& place);
    std::optional<TensorId> find_live_tensor(const std::string& tensor) const;
    /// What the variable would hold next: a tensor that is not allocated.
    TensorId free_variable(const std::string& variable);
    /// The variable takes over a reference; the tensor that it held before loses one.
    void assign(const std::string& variable, TensorId tensor, const SourcePlace& place);

    // By id: a tensor lives as long as it has references.

    /// A tensor that is not allocated yet, called `name` or, if there is one, `name.2` and so on.
    TensorId new_tensor(const std::string& name);
    bool is_live(TensorId tensor) const { return references_[index_of(tensor)] > 0; }
    /// With one reference.
    void allocate(TensorId tensor, Bytes size, StreamId stream, const SourcePlace& place);
    void allocate_rest(op::AllocRest rest, const SourcePlace& place);
    /// With one reference of its own, and none to what it is a view of.
    void add_weak_view(TensorId view, TensorId of, const SourcePlace& place);
    std::size_t references(TensorId tensor) const { return references_[index_of(tensor)]; }
    void retain(TensorId tensor) { ++references_[index_of(tensor)]; }
    void release(TensorId tensor, const SourcePlace& place);
    /// As asked for last; none where the allocator decides.
    std::optional<Bytes> size_of(TensorId tensor) const;
    void record_stream(TensorId tensor, StreamId stream, const SourcePlace& place);

    // Work.

    /// `label` is what the scenario calls it.
    void launch(op::Kernel kernel, const SourcePlace& place, const std::string& label = {});
    /// `to.copy_(from)`, of the smaller one's bytes.
    void copy(StreamId on, TensorId from, TensorId to, const SourcePlace& place);
    void work(const op::Memset& memset, const SourcePlace& place) { add(memset, place); }
    void work(const op::Copy& copy, const SourcePlace& place);
    void work(const op::HostFunction& function, const SourcePlace& place) { add(function, place); }
    void work(const op::HostWork& work, const SourcePlace& place) { add(work, place); }

    // Host threads, and what is tried.

    static constexpr std::string_view kMainThread = "main";
    /// The thread that was under way before.
    ThreadId switch_thread(const std::string& thread, const SourcePlace& place);
    void switch_thread(ThreadId thread, const SourcePlace& place);
    void begin_try(const std::string& name, const SourcePlace& place) {
        ++tries_;
        add(op::Try{name}, place);
    }
    void end_try(const SourcePlace& place) {
        --tries_;
        add(op::EndTry{}, place);
    }

    // Events.

    void record_event(const std::string& event, StreamId stream, const SourcePlace& place);
    void wait_event(StreamId stream, const std::string& event, const SourcePlace& place);
    void synchronize_event(const std::string& event, const SourcePlace& place);
    void query_event(const std::string& event, const SourcePlace& place);
    /// `stream.wait_stream(other)`.
    void wait_stream(StreamId stream, StreamId other, const SourcePlace& place);

    // Graphs and pools.

    /// What `torch.cuda.graph` does on entry: synchronises and empties the cache.
    void prepare_capture(const SourcePlace& place);
    struct CaptureStart {
        std::string graph;
        StreamId stream{};
        /// One that exists: a `graph_pool_handle` or a `mem_pool`.
        std::optional<PlacedText> pool;
        op::CaptureMode mode = op::CaptureMode::kGlobal;
    };
    /// `capture_begin`.
    void begin_capture(const CaptureStart& start, const SourcePlace& place);
    /// `capture_end` of the capture that began last, with `on` as the current stream if it is not
    /// the capture's.
    void end_capture(const SourcePlace& place, std::optional<StreamId> on = std::nullopt);
    bool has_pool(const std::string& pool) const;
    void replay(const std::string& graph, StreamId stream, const SourcePlace& place);
    void destroy_graph(const std::string& graph, const SourcePlace& place);
    void make_pool_handle(const std::string& pool, const SourcePlace& place);
    void create_pool(const std::string& pool, op::CreatePool options, const SourcePlace& place);
    void enter_pool(const std::string& pool, const SourcePlace& place);
    void leave_pool(const std::string& pool, const SourcePlace& place);
    void destroy_pool(const std::string& pool, const SourcePlace& place);
    void save_pool(const std::string& pool, const std::string& name, const SourcePlace& place);
    void restore_pool(const std::string& name, const SourcePlace& place);
    void add_driver_memory(op::AddDriverMemory memory, const SourcePlace& place);
    void remove_driver_memory(const std::string& name, const SourcePlace& place);
    void make_communicator(op::MakeCommunicator communicator, const SourcePlace& place);
    void all_reduce(op::AllReduce collective, const SourcePlace& place);

    // The rest.

    std::size_t operations() const { return program_.ops.size(); }
    /// What was allocated by operation `first` or later and is alive.
    std::vector<std::pair<TensorId, Bytes>> live_since(std::size_t first) const;

    void empty_cache(const SourcePlace& place) { add(op::EmptyCache{}, place); }
    void reset_peaks(const SourcePlace& place) { add(op::ResetPeaks{}, place); }
    void checkpoint(const std::string& name, const SourcePlace& place) {
        add(op::Checkpoint{name}, place);
    }
    void set_allocator_settings(const PlacedText& conf, const SourcePlace& place);

  private:
    struct TensorState {
        bool live = false;
        /// Where it was freed last; 0 if that is not known.
        std::size_t freed_in_line = 0;
        /// The tensor that bears its name. It may hold another's.
        std::optional<TensorId> own;
    };
    struct EventState {
        /// By the scenario, not by a `wait_stream`.
        bool recorded = false;
        /// Where it was first waited for or asked.
        std::optional<SourcePlace> asked;
    };
    struct GraphState {
        enum class Stage { kNone, kCapturing, kCaptured };
        Stage stage = Stage::kNone;
        /// Its capture is tried: it may have failed.
        bool is_tried = false;
    };
    struct PoolState {
        enum class Kind { kNone, kHandle, kMemPool };
        Kind kind = Kind::kNone;
        /// How many `use_mem_pool` scopes are open.
        std::size_t entered = 0;
    };
    using Graphs = NameTable<GraphId, GraphState>;
    using Pools = NameTable<PoolName, PoolState>;

    /// `weight`: how many names the operation lists, itself included.
    void add(Op op,
             const SourcePlace& place,
             std::size_t weight = 1,
             const std::string& label = {});
    StreamId add_pool_stream(const std::string& name, const StreamPool::Stream& from_pool);
    Graphs::Entry& captured_graph(const std::string& graph, const SourcePlace& place);
    Pools::Entry& mem_pool(const std::string& pool, const SourcePlace& place);
    PoolName pool_for_capture(const PlacedText& pool) const;
    [[noreturn]] void refuse_pool_of_capture(const PlacedText& pool) const;
    TensorId live_tensor(const std::string& tensor,
                         const SourcePlace& place,
                         std::string_view remedy_if_freed);
    EventName asked_event(const std::string& event, const SourcePlace& place);
    void require_no_misspelt_event() const;

    std::size_t max_operations_;
    std::size_t weight_ = 0;
    Program program_;
    AllocatorSettings settings_;
    StreamPool stream_pool_;
    std::map<StreamPool::Stream, StreamId> pool_streams_;
    std::map<std::string, StreamId, std::less<>> streams_;
    std::optional<StreamId> default_capture_stream_;
    std::set<StreamId> held_;
    NameTable<TensorId, TensorState> tensors_;
    /// How many names each tensor has, by id.
    std::vector<std::uint32_t> references_;
    /// By id; none where the allocator decides.
    std::vector<std::optional<Bytes>> sizes_;
    std::map<std::string, std::size_t, std::less<>> new_tensors_;
    NameTable<EventName, EventState> events_;
    Graphs graphs_;
    Pools pools_;
    std::set<std::string> saved_pools_;
    /// Who has memory of the driver.
    std::set<std::string> driver_users_;
    std::set<std::string> communicators_;
    /// By name, the one that began last at the end.
    std::vector<std::string> open_captures_;
    ThreadId thread_{};
    /// Under way, one in the other.
    std::size_t tries_ = 0;
    std::size_t blocking_streams_ = 0;
};

}  // namespace highwater
