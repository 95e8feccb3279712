#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/description/phase.hpp"
#include "sim/scenario/description/step_parts.hpp"
#include "sim/scenario/description/template_step.hpp"

namespace highwater {

/// What a step of a scenario may be, one struct a kind. A `Formula` named `stream`, `event`,
/// `graph` or `pool` is a reference: a name, perhaps with indices.
namespace step {

/// Several tensors, in the order written.
struct Alloc {
    std::vector<Allocation> tensors;
};
struct Free {
    std::vector<TensorName> tensors;
};
/// On the current stream if none is named; so it is with every optional stream below.
struct Kernel {
    std::optional<Formula> stream;
    std::vector<TensorName> reads;
    std::vector<TensorName> writes;
    KernelCost cost;
};
struct Memset {
    TensorName tensor;
    std::optional<Formula> stream;
    /// Else as long as it takes to write the tensor.
    std::optional<Formula> duration;
};
struct Copy {
    /// Without, it follows from which of `from` and `to` there is.
    std::optional<PlacedText> kind;
    /// Without, the tensor's.
    std::optional<Formula> size;
    std::optional<TensorName> from;
    std::optional<TensorName> to;
    std::optional<Formula> stream;
    /// The host waits for it.
    bool blocking = false;
};
/// `tensor.item()`: a blocking copy of one number to the host.
struct Item {
    TensorName tensor;
    std::optional<Formula> stream;
};
struct HostFunction {
    std::optional<Formula> stream;
    std::optional<Formula> duration;
};
struct HostWork {
    Formula duration;
};
struct SynchronizeEvent {
    Formula event;
};
struct QueryEvent {
    Formula event;
};
/// `stream.wait_stream(other)`: an event recorded on the other, waited for at once.
struct WaitStream {
    std::optional<Formula> stream;
    Formula other;
};
struct RecordEvent {
    Formula event;
    std::optional<Formula> stream;
};
struct WaitEvent {
    Formula event;
    std::optional<Formula> stream;
};
struct RecordStream {
    TensorName tensor;
    std::optional<Formula> stream;
};
/// Of the whole device if no stream is named.
struct Synchronize {
    std::optional<Formula> stream;
};
/// Memory beside PyTorch's allocator. Of `error` and `within`, a share of the size, there is one.
struct AddDriverMemory {
    Formula name;
    PlacedText kind;
    Formula size;
    std::optional<Formula> error;
    std::optional<Formula> within;
    PlacedText source;
    /// Without, it is taken at once, wherever the step stands.
    std::optional<Formula> stream;
};
struct RemoveDriverMemory {
    Formula name;
};
/// Of `error` and `within`, a share of what it has after its first use, there is one.
struct MakeCommunicator {
    Formula name;
    Formula size;
    std::optional<Formula> first_use;
    std::optional<Formula> captured;
    std::optional<Formula> error;
    std::optional<Formula> within;
    PlacedText source;
};
struct AllReduce {
    TensorName tensor;
    Formula communicator;
    std::optional<Formula> stream;
    KernelCost cost;
};
struct EmptyCache {};
struct ResetPeaks {};
struct Checkpoint {
    Formula name;
};
struct SetAllocator {
    PlacedText conf;
};
struct HoldStream {
    Formula stream;
};
struct ReleaseStream {
    Formula stream;
};
/// `for: {i: n}` with an index, `repeat: n` without.
struct Loop {
    std::optional<PlacedText> index;
    Formula count;
    StepList body;
};
struct Choice {
    Formula condition;
    StepList then;
    StepList otherwise;
};
/// `with torch.cuda.stream(stream)`.
struct OnStream {
    Formula stream;
    StepList body;
};
/// What another host thread does. Its current stream is the default one at first.
struct OnThread {
    PlacedText thread;
    StepList body;
};
/// What fails in the body ends the body, not the program.
struct Try {
    Formula name;
    StepList body;
};
struct Call {
    PlacedText procedure;
    Arguments arguments;
};
/// `with torch.cuda.graph(graph, pool, stream)`; raw: `capture_begin` and `capture_end` alone.
struct Capture {
    Formula graph;
    std::optional<Formula> pool;
    std::optional<Formula> stream;
    bool raw = false;
    /// `global`, which it is without, `thread_local` or `relaxed`.
    std::optional<PlacedText> mode;
    /// The current stream where it ends, if it is not the capture's.
    std::optional<Formula> end_on;
    /// The host thread that ends it, if it is another.
    std::optional<PlacedText> end_thread;
    StepList body;
};
struct Replay {
    Formula graph;
    std::optional<Formula> stream;
};
struct DestroyGraph {
    Formula graph;
};
struct GraphPoolHandle {
    Formula pool;
};
struct CreateMemPool {
    Formula pool;
    bool use_on_oom = false;
    bool no_split = false;
};
struct UseMemPool {
    Formula pool;
    StepList body;
};
struct DestroyMemPool {
    Formula pool;
};
/// What cudagraph trees do between recordings: note what a pool holds, and set it back.
struct SavePool {
    Formula pool;
    Formula name;
};
struct RestorePool {
    Formula name;
};

}  // namespace step

using StepKind = std::variant<step::Alloc,
                              step::Free,
                              step::Kernel,
                              step::Memset,
                              step::Copy,
                              step::Item,
                              step::HostFunction,
                              step::HostWork,
                              step::SynchronizeEvent,
                              step::QueryEvent,
                              step::WaitStream,
                              step::RecordEvent,
                              step::WaitEvent,
                              step::RecordStream,
                              step::Synchronize,
                              step::AddDriverMemory,
                              step::RemoveDriverMemory,
                              step::MakeCommunicator,
                              step::AllReduce,
                              step::EmptyCache,
                              step::ResetPeaks,
                              step::Checkpoint,
                              step::SetAllocator,
                              step::HoldStream,
                              step::ReleaseStream,
                              step::Loop,
                              step::Choice,
                              step::OnStream,
                              step::OnThread,
                              step::Try,
                              step::Call,
                              step::Capture,
                              step::Replay,
                              step::DestroyGraph,
                              step::GraphPoolHandle,
                              step::CreateMemPool,
                              step::UseMemPool,
                              step::DestroyMemPool,
                              step::SavePool,
                              step::RestorePool,
                              step::Op,
                              step::UseTemplate,
                              step::View,
                              step::WeakView,
                              step::Branch,
                              step::Join,
                              step::Layers,
                              step::Eager,
                              step::LoadWeights,
                              step::Forward,
                              step::CaptureBuckets,
                              step::ReplayBuckets,
                              step::DestroyGraphs,
                              step::Serve,
                              step::KvCache>;

struct Step {
    SourcePlace place;
    StepKind kind;
    /// The template's tensors that no later step mentions: their references go after this one.
    std::vector<Slot> last_uses;
};

}  // namespace highwater
