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

}  // namespace step

using StepKind = std::variant<step::Alloc,
                              step::Free,
                              step::Kernel,
                              step::WaitStream,
                              step::RecordEvent,
                              step::WaitEvent,
                              step::RecordStream,
                              step::Synchronize,
                              step::EmptyCache,
                              step::ResetPeaks,
                              step::Checkpoint,
                              step::SetAllocator,
                              step::HoldStream,
                              step::ReleaseStream,
                              step::Loop,
                              step::Choice,
                              step::OnStream,
                              step::Call,
                              step::Capture,
                              step::Replay,
                              step::DestroyGraph,
                              step::GraphPoolHandle,
                              step::CreateMemPool,
                              step::UseMemPool,
                              step::DestroyMemPool,
                              step::Op,
                              step::UseTemplate,
                              step::View,
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
