#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/allocator/allocator.hpp"
#include "sim/allocator/predicted_error.hpp"
#include "sim/capture/captures.hpp"
#include "sim/capture/graph_shape.hpp"
#include "sim/capture/graph_width.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/driver/driver_memory.hpp"
#include "sim/engine/any_allocator.hpp"
#include "sim/engine/card_memory.hpp"
#include "sim/engine/driver_nodes.hpp"
#include "sim/engine/guarded_memory.hpp"
#include "sim/engine/program.hpp"
#include "sim/engine/timed_memory.hpp"
#include "sim/engine/timeline_order.hpp"
#include "sim/engine/uncached_memory.hpp"
#include "sim/timeline/timeline.hpp"

namespace highwater {

/// Where a tensor of how many bytes landed, in which of the allocator's `State::usages`.
struct Placed {
    Address address;
    Bytes size;
    std::size_t pool = 0;
};
/// What one operation gave: nothing, the place of a tensor, the id of a pool, or no memory.

using OpResult = std::variant<std::monostate, Placed, PoolId, OutOfMemory>;

/// Where PyTorch's process-wide counters of pool ids stand: the next of (0, n) and of (n, 0).
struct PoolNumbers {
    std::uint64_t next_handle = 1;
    std::uint64_t next_graph = 1;
};

/// A capture that has ended.
struct CapturedGraph {
    GraphId graph{};
    GraphShape shape;
    GraphWidth width;
    Duration critical_path{};
    Bytes driver{};
    /// On the host: from the beginning of the capture to its end, and making it executable.
    Duration capture_time{};
    Duration instantiate_time{};
};

/// Runs the operations of one Program on the simulated allocator, one at a time. Time passes as the
/// profile has it; with none, GPU work is done at once unless its stream is held.
///
/// `step` throws `PredictedError` where PyTorch would refuse the operation and `InputError` where
/// the Program contradicts itself; both leave the executor where it was, or where PyTorch's process
/// would be, and usable.
class Executor {
  public:
    /// The program's header counts here, not its operations. `memory` outlives the executor. Throws
    /// `InputError` for a machine that cannot be, and unless the streams are distinct, with the
    /// default stream first.
    Executor(const Program& program,
             DeviceMemory& memory,
             const CostProfile& costs = {},
             PoolNumbers numbers = {});

    /// Runs operation `index` of the program.
    OpResult step(std::size_t index);

    /// The native allocator; unused with the other backend.
    Allocator& allocator() { return allocator_.native(); }
    const Allocator& allocator() const { return allocator_.native(); }
    /// Null unless the backend is cudaMallocAsync.
    const AsyncAllocator* async_allocator() const { return allocator_.async(); }
    MemoryStats stats() const { return allocator_.stats(); }
    /// The Program's names of the pools there were; a graph's own pool bears the graph's name.
    const std::map<PoolId, std::string>& pool_names() const { return pool_names_; }
    const Timeline& timeline() const { return timeline_; }
    const DriverMemory& driver() const { return driver_; }
    /// Brings the card up to the host's present, for whoever asks for its times.
    void catch_up() { timeline_.catch_up(); }
    /// Lets the card finish what was launched. Nothing is run after that.
    void drain() { timeline_.drain(); }
    /// The captures that have ended, in that order; their places are the tags of their runs in the
    /// timeline.
    const std::vector<CapturedGraph>& captured() const { return captured_; }
    /// Takes the graph of every capture that ends, in that order. It outlives its use here.
    void set_graph_sink(std::vector<CaptureGraph>* graphs) { graph_sink_ = graphs; }
    /// Null for none. They outlive their use here.
    void set_listeners(TimelineListener* timeline, DeviceCallListener* device_calls);
    /// The host thread whose call was the last, and when it began.
    ThreadId thread() const { return thread_; }
    Instant call_began() const { return call_began_; }
    bool is_live(TensorId tensor) const { return tensors_.at(index_of(tensor)).live; }

    OpResult operator()(const op::Alloc& op);
    OpResult operator()(const op::AllocRest& op);
    OpResult operator()(const op::Free& op);
    OpResult operator()(const op::WeakView& op);
    OpResult operator()(const op::RecordStream& op);
    OpResult operator()(const op::Kernel& op);
    OpResult operator()(const op::Memset& op);
    OpResult operator()(const op::Copy& op);
    OpResult operator()(const op::HostFunction& op);
    OpResult operator()(const op::HostWork& op);
    OpResult operator()(const op::SwitchThread& op);
    OpResult operator()(const op::RecordEvent& op);
    OpResult operator()(const op::WaitEvent& op);
    OpResult operator()(const op::Synchronize& op);
    OpResult operator()(const op::SynchronizeEvent& op);
    OpResult operator()(const op::QueryEvent& op);
    OpResult operator()(const op::MakePoolHandle& op);
    OpResult operator()(const op::BeginCapture& op);
    OpResult operator()(const op::EndCapture& op);
    OpResult operator()(const op::Replay& op);
    OpResult operator()(const op::DestroyGraph& op);
    OpResult operator()(const op::CreatePool& op);
    OpResult operator()(const op::DestroyPool& op);
    OpResult operator()(const op::EnterPool& op);
    OpResult operator()(const op::LeavePool& op);
    OpResult operator()(const op::SavePool& op);
    OpResult operator()(const op::RestorePool& op);
    OpResult operator()(const op::AddDriverMemory& op);
    OpResult operator()(const op::RemoveDriverMemory& op);
    OpResult operator()(const op::MakeCommunicator& op);
    OpResult operator()(const op::AllReduce& op);
    OpResult operator()(const op::EmptyCache& op);
    OpResult operator()(const op::SetAllocatorSettings& op);
    OpResult operator()(const op::ResetPeaks& op);
    OpResult operator()(const op::Try& op);
    OpResult operator()(const op::EndTry& op);
    OpResult operator()(const op::Checkpoint& op);
    OpResult operator()(const op::HoldStream& op);
    OpResult operator()(const op::ReleaseStream& op);

  private:
    /// Bounds the memory and the time that captures take.
    static constexpr std::uint64_t kMaxEdges = 20'000'000;

    struct Tensor {
        bool live = false;
        /// No value for a tensor of 0 bytes and for a weak view.
        std::optional<BlockId> block;
    };
    struct Event {
        EventId event{};
        std::optional<CapturedEvent> captured;
        /// Where it was recorded, and by which operation.
        StreamId stream{};
        std::size_t op = 0;
    };
    struct Graph {
        bool registered = false;
        /// Its capture began, and `capture_end` has not been called on it.
        bool capturing = false;
        /// Its capture ended well.
        bool captured = false;
        StreamId origin{};
        PoolId pool;
        CaptureId capture{};
        Instant began{};
        /// Null unless it is executable.
        std::shared_ptr<const GraphPlan> plan;
        /// When its last run is over.
        EventId last_run{0};
        /// In `captured_`.
        std::size_t place = 0;
    };
    /// A library's allocation node.
    struct LibraryNode {
        CaptureId capture{};
        Address address;
        StreamId stream{};
    };

    /// What collectives of it still take of the driver.
    struct Communicator {
        Bytes first_use;
        Bytes captured;
        std::string source;
    };

    /// Throws the InputError of the operation under way.
    [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const;
    /// The entry an operation names; `word` says of which kind.
    template <typename Table, typename Id>
    auto& entry(Table& table, Id id, std::string_view word) const {
        if (index_of(id) >= table.size()) {
            refuse_id(word, index_of(id), table.size());
        }
        return table[index_of(id)];
    }
    [[noreturn]] void refuse_id(std::string_view word, std::size_t id, std::size_t known) const;
    StreamId stream(StreamId id) const;
    Tensor& tensor(TensorId id) { return entry(tensors_, id, "tensor"); }
    Tensor& live_tensor(TensorId id);
    Tensor& free_name(TensorId id);
    OpResult allocate(TensorId tensor, Bytes size, StreamId stream);
    MallocResult malloc(Bytes size, StreamId stream);
    void give_back(BlockId block);
    void give_back(const LibraryNode& node);
    /// Work in a stream: a node of its capture, or in time.
    void launch(StreamId stream, NodeKind kind, Work work);
    void capture_node(StreamId stream, NodeKind kind, const Work& work);
    /// An operation of the framework allocates what it makes between its beginning and its launch:
    /// the first allocation behind a launch begins the next one.
    void begin_operation();
    void follow_legacy_order(StreamId stream);
    /// The driver hears of work on the stream. Throws if the card has no room for what it takes.
    void use_stream(StreamId stream);
    [[noreturn]] void out_of_driver_memory(const std::string& user, Bytes needed) const;
    void require_room(const std::string& user, Bytes growth) const;
    void add_driver_memory(const DriverMemory::Owner& owner, const FixedMemory& memory);
    void take_for_collective(Communicator& communicator, const op::AllReduce& op);
    void add_library_node(const std::string& name, StreamId on, const FixedMemory& memory);
    OutsideWork outside_work(const op::WaitEvent& op, const Event& event) const;
    void require_live(const std::optional<TensorId>& tensor);
    void synchronize(StreamId stream);
    void synchronize_device();
    EventId record(StreamId stream);
    void wait(StreamId stream, EventId event);
    void instantiate(GraphId id, const CaptureGraph& captured);
    /// What the driver takes for it.
    Bytes make_executable(GraphId id, const CaptureGraph& captured);
    std::size_t usage_of(BlockId block) const;
    Bytes unreserved() const;
    Graph& graph(GraphId id) { return entry(graphs_, id, "graph"); }
    const std::string& name_of(GraphId id) const { return program_.graphs[index_of(id)]; }
    Graph& capturing_graph(GraphId id);
    void require_replayable(GraphId id, StreamId on);
    std::optional<PoolId>& pool(PoolName name) { return entry(pools_, name, "pool"); }
    PoolId known_pool(PoolName name);
    std::map<TensorId, Address> tensors_in(PoolId pool) const;
    Allocator& native_for_pool_states();
    std::optional<OutOfMemory> make_generator_state(StreamId stream);
    void drop_generator_state();

    const Program& program_;
    const bool has_costs_;
    const TimeProfile times_;
    std::size_t current_ = 0;
    /// Whose calls the operations are.
    ThreadId thread_ = kMainThread;
    Instant call_began_{};
    /// By thread: it has allocated for an operation that has not launched yet.
    std::vector<bool> in_operation_;
    Timeline timeline_;
    DriverMemory driver_;
    CardMemory card_;
    std::vector<bool> streams_used_;
    TimedMemory memory_;
    bool has_blocking_streams_ = false;
    Captures captures_;
    GuardedMemory guarded_memory_;
    /// Used instead of the allocator, except for pools, where PyTorch does not cache.
    std::optional<UncachedMemory> uncached_;
    TimelineOrder order_;
    DriverNodes driver_nodes_;
    AnyAllocator allocator_;
    PoolNumbers numbers_;
    std::uint32_t next_capture_ = 0;
    std::vector<Tensor> tensors_;
    std::vector<std::optional<Event>> events_;
    std::vector<Graph> graphs_;
    std::vector<CapturedGraph> captured_;
    std::vector<CaptureGraph>* graph_sink_ = nullptr;
    std::vector<std::optional<PoolId>> pools_;
    std::map<PoolId, std::string> pool_names_;
    std::map<std::string, PoolState> saved_pools_;
    /// By the library's name.
    std::multimap<std::string, LibraryNode> library_nodes_;
    std::map<std::string, Communicator> communicators_;
    /// The random generator's two 8-byte tensors, while a graph is alive (allocator specification
    /// 8.5).
    std::vector<BlockId> generator_state_;
    std::size_t graphs_alive_ = 0;
};

}  // namespace highwater
