// The Executor's operations on graphs.
#include <fmt/format.h>

#include "gpu/executor.hpp"
#include "sim/capture/graph_shape.hpp"
#include "sim/capture/graph_width.hpp"

namespace highwater::gpu {
namespace {

// As in the simulator: beyond it the width may be a bound.
constexpr std::size_t kMostNodesForWidth = 1000;

}  // namespace

StepResult Executor::operator()(const op::BeginCapture& op) {
    Graph& to = graphs_.at(index_of(op.graph));
    if (to.exists) {
        refuse(fmt::format("graph '{}' is captured already", name_of(op.graph)),
               "destroy it first, or use another name");
    }
    const std::optional<PoolId> given =
        op.pool ? std::optional(known_pool(*op.pool)) : std::nullopt;
    to = Graph{true, op.stream, clock_.now(), std::nullopt};
    const PoolId pool = memory_.begin_capture(op.graph, op.stream, given, op.mode);
    ++captures_;
    if (pool_name(pool).empty()) {
        pool_names_.emplace_back(pool, name_of(op.graph));
    }
    return {};
}

StepResult Executor::operator()(const op::EndCapture& op) {
    const Graph& ended = graphs_.at(index_of(op.graph));
    if (!ended.exists || ended.place) {
        refuse(fmt::format("graph '{}' is not being captured", name_of(op.graph)),
               "begin its capture before");
    }
    const StreamId current = op.stream.value_or(ended.origin);
    if (captures_ > 0 && current == ended.origin) {
        --captures_;
    }
    const CaptureGraph captured = memory_.end_capture(op.graph, current);
    note_captured(op.graph, captured, clock_.now() - ended.began);
    return {};
}

void Executor::note_captured(GraphId id, const CaptureGraph& captured, Duration capture_time) {
    GraphRow row{.graph = id, .capture_time = capture_time};
    Bytes before;
    {
        const RunClock::Pause pause(clock_);
        const GraphShape shape = shape_of(captured);
        const GraphWidth width = width_of(captured, kMostNodesForWidth);
        row.nodes = shape.nodes;
        row.edges = shape.edges;
        row.forks = shape.forks;
        row.joins = shape.joins;
        row.width = width.nodes;
        row.is_width_exact = width.is_exact;
        measured_.push_back({shape, {}});
        before = card_.free_bytes();
    }
    graphs_.at(index_of(id)).place = rows_.size();
    rows_.push_back(row);
    const Instant began = clock_.now();
    memory_.instantiate(id);
    rows_.back().instantiate_time = clock_.now() - began;
    const RunClock::Pause pause(clock_);
    const Bytes after = card_.free_bytes();
    rows_.back().driver = before > after ? before - after : Bytes{};
}

StepResult Executor::operator()(const op::Replay& op) {
    const Graph& replayed = graphs_.at(index_of(op.graph));
    if (!replayed.exists) {
        refuse(fmt::format("graph '{}' has not been captured", name_of(op.graph)),
               "end its capture before it is replayed");
    }
    // Time marks may not become part of a capture that the replay is refused in.
    if (!replayed.place || is_capturing()) {
        memory_.replay(op.graph, op.stream);
        return {};
    }
    const TimeMark begin = card_.mark(op.stream);
    memory_.replay(op.graph, op.stream);
    runs_.push_back({*replayed.place, begin, card_.mark(op.stream)});
    return {};
}

StepResult Executor::operator()(const op::DestroyGraph& op) {
    Graph& gone = graphs_.at(index_of(op.graph));
    if (!gone.exists) {
        refuse(fmt::format("graph '{}' cannot be destroyed here", name_of(op.graph)),
               "capture it, and end the capture, before");
    }
    gone = {};
    memory_.destroy_graph(op.graph);
    return {};
}

void Executor::finish(Measurement& measurement) const {
    measurement.ledger.graphs = rows_;
    measurement.graphs = measured_;
    for (const Run& run : runs_) {
        const Duration time = card_.between(run.begin, run.end);
        measurement.graphs.at(run.place).replays.push_back(time);
        GraphRow& row = measurement.ledger.graphs.at(run.place);
        ++row.replays;
        row.replay_time += time;
    }
    measurement.collectives = collectives_;
    for (const TimedCollective& timed : timed_collectives_) {
        measurement.collectives.at(timed.place).card_time = card_.between(timed.begin, timed.end);
    }
    measurement.verified_reads = verified_reads_;
    measurement.unverified_reads = unverified_reads_;
}

}  // namespace highwater::gpu
