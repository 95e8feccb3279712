#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/formula.hpp"

namespace highwater {

struct Step;
using StepList = std::vector<Step>;

/// What a step of a scenario may be, one struct a kind. A `Formula` named `stream`, `tensor`,
/// `event`, `graph` or `pool` is a reference: a name, perhaps with indices.
namespace step {

/// Several tensors, in the order written.
struct Alloc {
    std::vector<std::pair<Formula, Formula>> tensors_and_sizes;
};
struct Free {
    std::vector<Formula> tensors;
};
/// On the current stream if none is named; so it is with every optional stream below.
struct Kernel {
    std::optional<Formula> stream;
    std::vector<Formula> reads;
    std::vector<Formula> writes;
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
    Formula tensor;
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
    std::vector<std::pair<PlacedText, Formula>> arguments;
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
                              step::DestroyMemPool>;

struct Step {
    SourcePlace place;
    StepKind kind;
};

}  // namespace highwater
