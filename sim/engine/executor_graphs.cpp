// The Executor's operations on graphs (around-allocator specification 3).
#include <utility>

#include <fmt/format.h>

#include "sim/capture/capture_errors.hpp"
#include "sim/capture/critical_path.hpp"
#include "sim/engine/executor.hpp"

namespace highwater {

using namespace literals;

namespace {

// What one graph may cost of the time of a run with many: a flow of so many nodes takes
// milliseconds.
constexpr std::size_t kMostNodesForWidth = 1000;
constexpr std::size_t kGeneratorTensors = 2;
constexpr Bytes kGeneratorTensorSize = 8_B;

}  // namespace

std::optional<OutOfMemory> Executor::make_generator_state(StreamId stream) {
    if (graphs_alive_++ > 0) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < kGeneratorTensors; ++i) {
        const MallocResult result = malloc(kGeneratorTensorSize, stream);
        if (const auto* out_of_memory = std::get_if<OutOfMemory>(&result)) {
            drop_generator_state();
            return *out_of_memory;
        }
        generator_state_.push_back(std::get<Allocated>(result).block);
    }
    return std::nullopt;
}

void Executor::drop_generator_state() {
    if (--graphs_alive_ > 0) {
        return;
    }
    for (const BlockId block : std::exchange(generator_state_, {})) {
        give_back(block);
    }
}

OpResult Executor::operator()(const op::BeginCapture& op) {
    Graph& to = graph(op.graph);
    if (to.capturing || to.captured) {
        refuse(fmt::format("graph `{}` is captured already", name_of(op.graph)),
               "destroy it first, or use another name");
    }
    const StreamId origin = stream(op.stream);
    const std::optional<PoolId> given =
        op.pool ? std::optional(known_pool(*op.pool)) : std::nullopt;
    // A graph whose capture has failed is still known to the generator.
    if (!to.registered) {
        if (auto out_of_memory = make_generator_state(origin)) {
            return *out_of_memory;
        }
    }
    to = Graph{};
    to.registered = true;
    to.origin = origin;
    to.capture = CaptureId{next_capture_++};
    to.began = timeline_.now();
    if (origin == kDefaultStream) {
        throw PredictedError(PredictedError::Kind::kRuntimeError,
                             fmt::format("PyTorch captures on a non-default stream only, and "
                                         "graph `{}` begins on the default stream",
                                         name_of(op.graph)),
                             "make another stream current; the graph can be replayed on this one");
    }
    to.pool = given ? *given : PoolId{numbers_.next_graph++, 0};
    pool_names_.emplace(to.pool, program_.graphs[index_of(op.graph)]);
    allocator_.begin_capture(to.pool, to.capture);
    captures_.begin(to.capture, origin, op.mode);
    timeline_.spend(times_.host.capture);
    to.capturing = true;
    return to.pool;
}

// A graph whose capture never began is a mistake in the Program; one whose capture is gone, because
// it failed, gets CUDA's error.
Executor::Graph& Executor::capturing_graph(GraphId id) {
    Graph& found = graph(id);
    if (!found.capturing && found.registered && !found.captured) {
        throw capture_errors::ends_nothing(program_.streams[index_of(found.origin)].name);
    }
    if (!found.capturing) {
        refuse(fmt::format("graph `{}` is not being captured", name_of(id)),
               "begin its capture before");
    }
    return found;
}

// What a failed end leaves: the pool stays in use, and its routing stays for ever.
OpResult Executor::operator()(const op::EndCapture& op) {
    Graph& ended = capturing_graph(op.graph);
    if (op.stream && stream(*op.stream) != ended.origin) {
        throw PredictedError(
            PredictedError::Kind::kRuntimeError,
            fmt::format("PyTorch ends a capture only on the stream it began on; graph `{}` began "
                        "on stream `{}`, and stream `{}` is current",
                        name_of(op.graph),
                        program_.streams[index_of(ended.origin)].name,
                        program_.streams[index_of(*op.stream)].name),
            "make the capture's stream current again; the capture can still be ended");
    }
    ended.capturing = false;
    if (captures_.is_active(ended.capture)) {
        allocator_.before_capture_ends(ended.origin);
    }
    const CaptureGraph captured = captures_.end(ended.origin);
    allocator_.end_routing(ended.pool);
    ended.captured = true;
    captures_.call(CudaCall::kGraphInstantiate);
    instantiate(op.graph, captured);
    return {};
}

void Executor::instantiate(GraphId id, const CaptureGraph& captured) {
    Graph& ready = graph(id);
    CapturedGraph row{id, shape_of(captured), width_of(captured, kMostNodesForWidth)};
    row.capture_time = timeline_.now() - ready.began;
    row.instantiate_time =
        times_.host.instantiate(row.shape.nodes) +
        times_.host.instantiate_join * static_cast<Duration::rep>(row.shape.joins);
    timeline_.spend(row.instantiate_time);
    ready.place = captured_.size();
    if (has_costs_) {
        row.critical_path = critical_path(captured, times_.card.node_gap).length;
        row.driver = make_executable(id, captured);
    }
    ready.plan = std::make_shared<GraphPlan>(captured, times_.card);
    captured_.push_back(row);
    if (graph_sink_ != nullptr) {
        graph_sink_->push_back(captured);
    }
}

void Executor::require_replayable(GraphId id, StreamId on) {
    const Graph& replayed = graph(id);
    if (!replayed.registered) {
        refuse(fmt::format("graph `{}` has not been captured", name_of(id)),
               "end its capture before it is replayed");
    }
    if (!replayed.plan) {
        throw PredictedError(
            PredictedError::Kind::kRuntimeError,
            fmt::format("graph `{}` is replayed, and its capture has not ended well", name_of(id)),
            "replay it only after its capture_end has succeeded");
    }
    if (captures_.capture_of(stream(on))) {
        throw PredictedError(
            PredictedError::Kind::kRuntimeError,
            fmt::format("graph `{}` is replayed on stream `{}`, which is capturing",
                        name_of(id),
                        program_.streams[index_of(on)].name),
            "replay it on another stream, or before or after the capture");
    }
}

OpResult Executor::operator()(const op::Replay& op) {
    require_replayable(op.graph, op.stream);
    captures_.add_outside(op.stream);
    captures_.call(CudaCall::kGraphLaunch);
    Graph& replayed = graph(op.graph);
    use_stream(op.stream);
    if (!allocator_.launch(replayed.capture, op.stream)) {
        out_of_driver_memory(fmt::format("what graph `{}` allocates as it runs", name_of(op.graph)),
                             allocator_.graph_memory().footprint(replayed.capture));
    }
    follow_legacy_order(op.stream);
    timeline_.spend(times_.host.replay(replayed.plan->size()));
    // A graph does not run beside itself: its next run waits for the one before.
    timeline_.depend(op.stream, replayed.last_run);
    timeline_.launch_graph(op.stream, replayed.plan, replayed.place);
    replayed.last_run = timeline_.mark(op.stream);
    allocator_.launched(replayed.capture, op.stream);
    driver_.hold_memory_nodes(allocator_.graph_memory().reserved().current);
    return {};
}

OpResult Executor::operator()(const op::DestroyGraph& op) {
    Graph& gone = graph(op.graph);
    if (!gone.registered || gone.capturing) {
        refuse(fmt::format("graph `{}` cannot be destroyed here", name_of(op.graph)),
               "capture it, and end the capture, before");
    }
    if (gone.captured) {
        allocator_.give_up_pool(gone.pool);
        allocator_.destroy_graph(gone.capture);
    }
    if (gone.plan) {
        // PyTorch makes a warning of the error, but a capture under way is broken.
        const auto refused =
            captures_.error_of(CudaCall::kGraphExecDestroy,
                               fmt::format("graph `{}` is reset or deleted (cudaGraphExecDestroy)",
                                           name_of(op.graph)));
        if (has_costs_ && !refused) {
            driver_.destroy(GraphExecId{gone.place});
        }
    }
    gone = {};
    drop_generator_state();
    return {};
}

}  // namespace highwater
