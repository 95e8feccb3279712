#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/capture/capture_mode.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/error.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"
#include "sim/engine/op_places.hpp"

namespace highwater {

/// Names of a Program: each is an index into the table of the same word in `Program`.
/// A tensor name is a variable of the program: it may be allocated again once it is freed.
enum class TensorId : std::uint32_t {};
enum class EventName : std::uint32_t {};
enum class GraphId : std::uint32_t {};
enum class PoolName : std::uint32_t {};

/// What the host does, in order. One struct an operation; see `program_text.hpp` for the text form.
namespace op {

/// A tensor of `size` bytes from the caching allocator, with `stream` as the current stream.
struct Alloc {
    TensorId tensor{};
    Bytes size;
    StreamId stream{};
    friend bool operator==(const Alloc&, const Alloc&) = default;
};
/// A tensor that fills what is left of the memory: of as many whole units as are free on the device
/// and allowed to the process beyond `keep_free` and beyond what is reserved already, cached blocks
/// included. At least one unit is asked for.
struct AllocRest {
    TensorId tensor{};
    Bytes unit;
    Bytes keep_free;
    StreamId stream{};
    friend bool operator==(const AllocRest&, const AllocRest&) = default;
};
/// The last reference to the tensor goes.
struct Free {
    TensorId tensor{};
    friend bool operator==(const Free&, const Free&) = default;
};
/// Another name for the memory that a tensor has now, which does not keep it: what is read through
/// it once the tensor is gone is whatever is there then. As PyTorch's weak references to outputs of
/// graphs are used.
struct WeakView {
    TensorId view{};
    TensorId of{};
    friend bool operator==(const WeakView&, const WeakView&) = default;
};
/// `tensor.record_stream(stream)`.
struct RecordStream {
    TensorId tensor{};
    StreamId stream{};
    friend bool operator==(const RecordStream&, const RecordStream&) = default;
};
/// A kernel launch. In a capture it becomes a node of the graph.
struct Kernel {
    StreamId stream{};
    std::vector<TensorId> reads;
    std::vector<TensorId> writes;
    /// With the share of the card to itself. 0: not known, the profile has what to take then.
    Duration duration{};
    /// The share of the card's multiprocessors that it can use, above 0 and at most 1.
    float width = 1;
    friend bool operator==(const Kernel&, const Kernel&) = default;
};
/// cudaMemsetAsync of a tensor.
struct Memset {
    StreamId stream{};
    TensorId tensor{};
    Duration duration{};
    friend bool operator==(const Memset&, const Memset&) = default;
};
enum class CopyKind : std::uint8_t { kHostToDevice, kDeviceToHost, kDeviceToDevice };
/// cudaMemcpyAsync of `size` bytes. `blocking`: the host waits for it, as `.item()`, `.cpu()` and
/// copies of pageable memory do.
struct Copy {
    StreamId stream{};
    CopyKind kind{};
    bool blocking = false;
    Bytes size;
    std::optional<TensorId> from;
    std::optional<TensorId> to;
    friend bool operator==(const Copy&, const Copy&) = default;
};
/// cudaLaunchHostFunc: the host's code runs in the stream's order.
struct HostFunction {
    StreamId stream{};
    Duration duration{};
    friend bool operator==(const HostFunction&, const HostFunction&) = default;
};
/// The host thread is busy with something else.
struct HostWork {
    Duration duration{};
    friend bool operator==(const HostWork&, const HostWork&) = default;
};
/// What follows is done by another host thread, from its own current time on. Calls happen in the
/// order of the Program whichever thread makes them.
struct SwitchThread {
    ThreadId thread{};
    friend bool operator==(const SwitchThread&, const SwitchThread&) = default;
};
/// `event.record(stream)`.
struct RecordEvent {
    EventName event{};
    StreamId stream{};
    friend bool operator==(const RecordEvent&, const RecordEvent&) = default;
};
/// `stream.wait_event(event)`. Joins the stream to the event's capture, if it was recorded in one.
struct WaitEvent {
    StreamId stream{};
    EventName event{};
    friend bool operator==(const WaitEvent&, const WaitEvent&) = default;
};
/// `torch.cuda.synchronize()`, or `stream.synchronize()` if a stream is named.
struct Synchronize {
    std::optional<StreamId> stream;
    friend bool operator==(const Synchronize&, const Synchronize&) = default;
};
/// `event.synchronize()`.
struct SynchronizeEvent {
    EventName event{};
    friend bool operator==(const SynchronizeEvent&, const SynchronizeEvent&) = default;
};
/// `event.query()`.
struct QueryEvent {
    EventName event{};
    friend bool operator==(const QueryEvent&, const QueryEvent&) = default;
};
/// `torch.cuda.graph_pool_handle()`: takes the next id (0, n), allocates nothing.
struct MakePoolHandle {
    PoolName pool{};
    friend bool operator==(const MakePoolHandle&, const MakePoolHandle&) = default;
};
using CaptureMode = highwater::CaptureMode;
/// `CUDAGraph.capture_begin(pool, capture_error_mode)`; without a pool the graph takes one of its
/// own, with id (n, 0). `torch.cuda.graph` also synchronises and empties the cache before: those
/// are operations here.
struct BeginCapture {
    GraphId graph{};
    StreamId stream{};
    std::optional<PoolName> pool;
    CaptureMode mode = CaptureMode::kGlobal;
    friend bool operator==(const BeginCapture&, const BeginCapture&) = default;
};
/// `CUDAGraph.capture_end()`, with `stream` as the current stream if it is not the capture's.
struct EndCapture {
    GraphId graph{};
    std::optional<StreamId> stream{};
    friend bool operator==(const EndCapture&, const EndCapture&) = default;
};
/// `CUDAGraph.replay()` on `stream`. Allocates nothing.
struct Replay {
    GraphId graph{};
    StreamId stream{};
    friend bool operator==(const Replay&, const Replay&) = default;
};
/// `CUDAGraph.reset()`, as when the last reference goes.
struct DestroyGraph {
    GraphId graph{};
    friend bool operator==(const DestroyGraph&, const DestroyGraph&) = default;
};
/// `torch.cuda.MemPool(use_on_oom, no_split)`.
struct CreatePool {
    PoolName pool{};
    bool use_on_oom = false;
    bool no_split = false;
    friend bool operator==(const CreatePool&, const CreatePool&) = default;
};
/// The `MemPool` goes.
struct DestroyPool {
    PoolName pool{};
    friend bool operator==(const DestroyPool&, const DestroyPool&) = default;
};
/// `torch.cuda.use_mem_pool(pool)` is entered on the main thread.
struct EnterPool {
    PoolName pool{};
    friend bool operator==(const EnterPool&, const EnterPool&) = default;
};
/// `torch.cuda.use_mem_pool(pool)` is left.
struct LeavePool {
    PoolName pool{};
    friend bool operator==(const LeavePool&, const LeavePool&) = default;
};
/// Notes what a pool holds, as cudagraph trees do after each recording, under a name.
struct SavePool {
    PoolName pool{};
    std::string name;
    friend bool operator==(const SavePool&, const SavePool&) = default;
};
/// Sets the pool back to what it held then. What was allocated then and has no tensor now is freed.
struct RestorePool {
    std::string name;
    friend bool operator==(const RestorePool&, const RestorePool&) = default;
};
/// Who has memory from the driver itself, beside PyTorch's allocator.
enum class DriverUser : std::uint8_t { kLibrary, kCollective, kOther };
/// A library or a communicator takes memory of the driver, more under the same name beside what it
/// has. With a stream as cudaMallocAsync does: in a capture it becomes a node of the graph, and the
/// memory is taken where the graph is launched first. Else at once, also in a capture: such code
/// makes its calls in relaxed mode.
struct AddDriverMemory {
    std::string name;
    /// Where the figure comes from, for people.
    std::string source;
    DriverUser user{};
    Bytes size;
    /// How far the size may be off, up or down.
    Bytes error;
    std::optional<StreamId> stream;
    friend bool operator==(const AddDriverMemory&, const AddDriverMemory&) = default;
};
/// It gives all of it back.
struct RemoveDriverMemory {
    std::string name;
    friend bool operator==(const RemoveDriverMemory&, const RemoveDriverMemory&) = default;
};
/// The processes that run the Program make a communicator with each other. All they take of the
/// driver bears its name, and `RemoveDriverMemory` gives it back.
struct MakeCommunicator {
    std::string name;
    /// Where the figures come from, for people.
    std::string source;
    /// At once.
    Bytes size;
    /// More with its first collective, and with each collective that is captured.
    Bytes first_use;
    Bytes captured;
    /// How far `size` and `first_use` together may be off, up or down.
    Bytes error;
    friend bool operator==(const MakeCommunicator&, const MakeCommunicator&) = default;
};
/// ncclAllReduce in place: every process has the sum of all. In a capture a node of the graph.
struct AllReduce {
    TensorId tensor{};
    std::string communicator;
    StreamId stream{};
    /// As of a kernel. That all processes come to it at the same time is taken for granted.
    Duration duration{};
    float width = 1;
    friend bool operator==(const AllReduce&, const AllReduce&) = default;
};
/// `torch.cuda.empty_cache()`.
struct EmptyCache {
    friend bool operator==(const EmptyCache&, const EmptyCache&) = default;
};
/// `torch.cuda.memory._set_allocator_settings(conf)`.
struct SetAllocatorSettings {
    std::string conf;
    friend bool operator==(const SetAllocatorSettings&, const SetAllocatorSettings&) = default;
};
/// `torch.cuda.reset_peak_memory_stats()`.
struct ResetPeaks {
    friend bool operator==(const ResetPeaks&, const ResetPeaks&) = default;
};
/// What fails up to the next `EndTry` ends what is tried, not the program. While the error passes,
/// captures and pools that were entered are left, and tensors go that would have gone.
struct Try {
    std::string name;
    friend bool operator==(const Try&, const Try&) = default;
};
struct EndTry {
    friend bool operator==(const EndTry&, const EndTry&) = default;
};
/// Notes the counters under a name.
struct Checkpoint {
    std::string name;
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};
/// The stream starts to wait for the host: no event recorded on it from now on completes.
struct HoldStream {
    StreamId stream{};
    friend bool operator==(const HoldStream&, const HoldStream&) = default;
};
/// The host lets a held stream go: all its events have completed.
struct ReleaseStream {
    StreamId stream{};
    friend bool operator==(const ReleaseStream&, const ReleaseStream&) = default;
};

}  // namespace op

using Op = std::variant<op::Alloc,
                        op::AllocRest,
                        op::Free,
                        op::WeakView,
                        op::RecordStream,
                        op::Kernel,
                        op::Memset,
                        op::Copy,
                        op::HostFunction,
                        op::HostWork,
                        op::SwitchThread,
                        op::RecordEvent,
                        op::WaitEvent,
                        op::Synchronize,
                        op::SynchronizeEvent,
                        op::QueryEvent,
                        op::MakePoolHandle,
                        op::BeginCapture,
                        op::EndCapture,
                        op::Replay,
                        op::DestroyGraph,
                        op::CreatePool,
                        op::DestroyPool,
                        op::EnterPool,
                        op::LeavePool,
                        op::SavePool,
                        op::RestorePool,
                        op::AddDriverMemory,
                        op::RemoveDriverMemory,
                        op::MakeCommunicator,
                        op::AllReduce,
                        op::EmptyCache,
                        op::SetAllocatorSettings,
                        op::ResetPeaks,
                        op::Try,
                        op::EndTry,
                        op::Checkpoint,
                        op::HoldStream,
                        op::ReleaseStream>;

/// More memory than any card has: 1 PiB.
inline constexpr Bytes kMaxTotalMemory{std::uint64_t{1} << 50U};

/// The longest that one operation may last.
inline constexpr Duration kMaxDuration = std::chrono::hours{1};

/// More processes than any machine has cards.
inline constexpr std::uint32_t kMaxRanks = 1024;

/// The card and the process the Program runs in.
struct Machine {
    /// `cudaDeviceProp::totalGlobalMem`, at most `kMaxTotalMemory`. Segments beyond it fail as on a
    /// full card.
    Bytes total_memory;
    /// `torch.cuda.set_per_process_memory_fraction`, 0 to 1; 1 sets no limit. Kept as the text's
    /// double, because PyTorch multiplies with it.
    double memory_fraction = 1.0;
    /// The text of PYTORCH_CUDA_ALLOC_CONF.
    std::string conf;
    /// Whether PyTorch caches memory at all: PYTORCH_NO_CUDA_MEMORY_CACHING.
    bool caching = true;
    /// The host waits for every kernel it launches: CUDA_LAUNCH_BLOCKING.
    bool blocking_launches = false;
    /// The name of the cost profile that times and driver memory come from; empty: no time passes.
    std::string cost_profile{};
    /// How many processes run the Program at once, each on a card of its own: 1 to `kMaxRanks`. All
    /// are alike, so that the figures of one are those of each.
    std::uint32_t ranks = 1;
    friend bool operator==(const Machine&, const Machine&) = default;
};

/// One CUDA stream: `Program::streams[0]` is the default stream, with handle 0.
struct StreamEntry {
    std::string name;
    StreamHandle handle{};
    /// Made without cudaStreamNonBlocking: it and the default stream wait for each other. None of
    /// PyTorch's own are.
    bool blocking = false;
    friend bool operator==(const StreamEntry&, const StreamEntry&) = default;
};

/// What a host does, in order: the heart of highwater. Every executor takes it, prints as text and
/// reads back. `StreamId` n is `streams[n]`, `TensorId` n is `tensors[n]`, and so on.
struct Program {
    Machine machine;
    std::vector<StreamEntry> streams;
    std::vector<std::string> tensors;
    std::vector<std::string> events;
    std::vector<std::string> graphs;
    std::vector<std::string> pools;
    /// Host threads: `ThreadId` n is `threads[n]`, the first is the main one. May be left empty
    /// where there is no other.
    std::vector<std::string> threads;
    std::vector<Op> ops;
    /// Where each operation was written, for messages; empty, or as long as `ops`. Not compared.
    OpPlaces places;

    friend bool operator==(const Program& a, const Program& b) {
        return a.machine == b.machine && a.streams == b.streams && a.tensors == b.tensors &&
               a.events == b.events && a.graphs == b.graphs && a.pools == b.pools &&
               a.threads == b.threads && a.ops == b.ops;
    }
};

}  // namespace highwater
