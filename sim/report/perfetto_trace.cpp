#include "sim/report/perfetto_trace.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/engine/run.hpp"
#include "sim/report/operation_name.hpp"
#include "sim/report/version.hpp"

namespace highwater {
namespace {

using Track = TraceJson::Track;

// The groups of tracks.
constexpr std::uint32_t kHost = 1;
constexpr std::uint32_t kStreams = 2;
constexpr std::uint32_t kNodes = 3;
constexpr std::uint32_t kMemory = 4;

constexpr Duration kLogicalOperation = std::chrono::microseconds{1};

constexpr std::array<std::string_view, 4> kDeviceCallNames{
    "cudaMalloc", "cudaFree", "cuMemMap", "cuMemUnmap"};

Instant logical(std::size_t op) {
    return Instant{} + kLogicalOperation * static_cast<Duration::rep>(op);
}

// What a thread does in no time, and without calling anything.
bool is_mark(const Op& op) {
    return std::holds_alternative<op::SwitchThread>(op) || std::holds_alternative<op::Try>(op) ||
           std::holds_alternative<op::EndTry>(op);
}

JsonMembers args_of(const Program& program, std::size_t index) {
    JsonMembers args;
    args.add("op", index);
    if (const auto* alloc = std::get_if<op::Alloc>(&program.ops[index])) {
        args.add("bytes", alloc->size.count);
        args.add("stream", program.streams[index_of(alloc->stream)].name);
    }
    return args;
}

}  // namespace

PerfettoTrace::PerfettoTrace(const Program& program,
                             const std::vector<CaptureGraph>& graphs,
                             const HazardDetector& hazards,
                             Time time,
                             TextSink sink)
    : program_(program), graphs_(graphs), hazards_(hazards), time_(time), json_(std::move(sink)) {
    json_.name_group(kHost, "host");
    json_.name_group(kStreams, "streams");
    json_.name_group(kNodes, "nodes of replayed graphs, by the stream of their capture");
    json_.name_group(kMemory, "memory");
    for (std::uint32_t i = 0; i < std::max<std::size_t>(program.threads.size(), 1); ++i) {
        json_.name_track({kHost, i}, i < program.threads.size() ? program.threads[i] : "main");
    }
}

Span PerfettoTrace::span_of(std::size_t op, const Executor& executor) const {
    return time_ == Time::kLogical ? Span{logical(op), logical(op + 1)}
                                   : Span{executor.call_began(), executor.timeline().now()};
}

Span PerfettoTrace::placed(std::size_t origin, Span span) const {
    return time_ == Time::kLogical ? Span{logical(origin), logical(origin + 1)} : span;
}

// One stream is none of the program's: with cudaMallocAsync PyTorch frees on it.
std::string PerfettoTrace::stream_name(StreamId stream) const {
    const bool is_own = index_of(stream) < program_.streams.size();
    return is_own ? program_.streams[index_of(stream)].name : "of PyTorch";
}

// Streams are named when they first do anything: a program may have thousands.
TraceJson::Track PerfettoTrace::stream_track(StreamId stream) {
    const Track track{kStreams, static_cast<std::uint32_t>(index_of(stream))};
    if (named_tracks_.emplace(track.group, track.number).second) {
        json_.name_track(track, stream_name(stream));
    }
    return track;
}

void PerfettoTrace::take(const TraceEvent& event) {
    ran_out_ |= event.kind == TraceEvent::Kind::kOom;
    meter_.take(event);
}

void PerfettoTrace::took(std::size_t op, const OpResult& /*result*/, const Executor& executor) {
    const Span span = span_of(op, executor);
    write_call(op, span, executor);
    follow_capture(op, span, executor.thread());
    ran_out_ = false;
}

void PerfettoTrace::failed(std::size_t op, const Executor& executor) {
    const Span span = span_of(op, executor);
    write_call(op, span, executor);
    const Track track{kHost, static_cast<std::uint32_t>(index_of(executor.thread()))};
    json_.instant(track,
                  std::exchange(ran_out_, false) ? "out of memory" : "refused",
                  span.end,
                  JsonMembers().add("op", op));
    if (std::holds_alternative<op::EndCapture>(program_.ops[op])) {
        follow_capture(op, span, executor.thread());
    }
}

void PerfettoTrace::write_call(std::size_t op, Span span, const Executor& executor) {
    const Op& operation = program_.ops[op];
    const Track track{kHost, static_cast<std::uint32_t>(index_of(executor.thread()))};
    if (const auto* checkpoint = std::get_if<op::Checkpoint>(&operation)) {
        json_.instant(track, checkpoint->name, span.begin, JsonMembers().add("op", op));
    } else if (!is_mark(operation)) {
        json_.slice(track, operation_name(program_, op), span, args_of(program_, op));
    }
    write_device_calls(track, span);
    write_memory(span.end, executor);
    write_hazards(track, span.end);
}

// In logical time the calls of one operation share its microsecond.
void PerfettoTrace::write_device_calls(Track track, Span within) {
    const auto count = static_cast<Duration::rep>(calls_.size());
    Duration::rep i = 0;
    for (const DeviceCall& call : calls_) {
        Span span = call.span;
        if (time_ == Time::kLogical) {
            span = {within.begin + kLogicalOperation * i / count,
                    within.begin + kLogicalOperation * (i + 1) / count};
        }
        JsonMembers args;
        args.add("bytes", call.size.count);
        if (!call.succeeded) {
            args.add("error", "out of memory");
        }
        json_.slice(track, kDeviceCallNames.at(index_of(call.kind)), span, args);
        ++i;
    }
    calls_.clear();
}

// Threads differ in how far they are; a counter does not go back.
void PerfettoTrace::write_memory(Instant at, const Executor& executor) {
    last_ = std::max(last_, at);
    if (const AsyncAllocator* async = executor.async_allocator()) {
        const auto& pool = async->pool();
        write_counter("default", last_, pool.reserved().current, pool.used().current);
        return;
    }
    for (const PoolMeter::Reading& now : meter_.changes(executor.allocator().state())) {
        const auto name = executor.pool_names().find(now.pool);
        const bool is_default = name == executor.pool_names().end();
        const std::string text =
            is_default ? "default"
                       : fmt::format("{} ({}, {})", name->second, now.pool.first, now.pool.second);
        write_counter(text, last_, now.reserved, now.allocated);
    }
}

void PerfettoTrace::write_counter(const std::string& pool,
                                  Instant at,
                                  Bytes reserved,
                                  Bytes allocated) {
    json_.counter(kMemory,
                  pool,
                  at,
                  JsonMembers().add("allocated", allocated.count).add("reserved", reserved.count));
}

void PerfettoTrace::write_hazards(Track track, Instant at) {
    const std::vector<Hazard>& found = hazards_.hazards();
    for (; hazards_told_ < found.size(); ++hazards_told_) {
        const Hazard& hazard = found[hazards_told_];
        json_.instant(track,
                      fmt::format("hazard: {}", name_of(hazard.kind)),
                      at,
                      JsonMembers().add("first_op", hazard.first.op).add("op", hazard.second.op));
    }
}

void PerfettoTrace::follow_capture(std::size_t op, Span span, ThreadId thread) {
    if (const auto* begun = std::get_if<op::BeginCapture>(&program_.ops[op])) {
        Lane& lane = lanes_[free_lane(thread)];
        lane.graph = begun->graph;
        lane.begin = span.begin;
    } else if (const auto* ended = std::get_if<op::EndCapture>(&program_.ops[op])) {
        const auto lane = std::ranges::find(lanes_, std::optional(ended->graph), &Lane::graph);
        if (lane != lanes_.end()) {
            close_lane(*lane, span.end);
        }
    }
}

std::size_t PerfettoTrace::free_lane(ThreadId thread) {
    const auto found = std::ranges::find_if(
        lanes_, [thread](const Lane& lane) { return lane.thread == thread && !lane.graph; });
    if (found == lanes_.end()) {
        lanes_.push_back({thread, {}, {}});
        return lanes_.size() - 1;
    }
    return static_cast<std::size_t>(found - lanes_.begin());
}

void PerfettoTrace::close_lane(Lane& lane, Instant end, const JsonMembers& args) {
    const std::size_t threads = std::max<std::size_t>(program_.threads.size(), 1);
    const auto place = static_cast<std::size_t>(&lane - lanes_.data());
    const Track track{kHost, static_cast<std::uint32_t>(threads + place)};
    if (named_tracks_.emplace(track.group, track.number).second) {
        const std::size_t thread = index_of(lane.thread);
        json_.name_track(
            track,
            fmt::format("captures by {}",
                        thread < program_.threads.size() ? program_.threads[thread] : "main"));
    }
    json_.slice(track,
                fmt::format("capture {}", program_.graphs[index_of(*lane.graph)]),
                {lane.begin, std::max(lane.begin, end)},
                args);
    lane.graph.reset();
}

void PerfettoTrace::work_done(StreamId stream, std::size_t origin, Span span) {
    json_.slice(stream_track(stream),
                operation_name(program_, origin),
                placed(origin, span),
                JsonMembers().add("op", origin));
}

void PerfettoTrace::graph_done(StreamId stream, std::size_t origin, Span span) {
    work_done(stream, origin, span);
}

// Nodes that one stream captured follow one another, and so do runs on one stream: they share a
// track.
void PerfettoTrace::node_done(StreamId stream, std::size_t tag, std::uint32_t node, Span span) {
    if (time_ == Time::kLogical) {
        return;
    }
    if (nodes_ == kMostNodes) {
        ++nodes_left_out_;
        return;
    }
    ++nodes_;
    const GraphNode& done = graphs_.at(tag)[node];
    const std::size_t streams = program_.streams.size() + 1;
    const Track track{
        kNodes, static_cast<std::uint32_t>(index_of(stream) * streams + index_of(done.stream))};
    if (named_tracks_.emplace(track.group, track.number).second) {
        json_.name_track(
            track,
            fmt::format("{}, replayed on {}", stream_name(done.stream), stream_name(stream)));
    }
    json_.slice(track, operation_name(program_, done.op), span, JsonMembers().add("op", done.op));
}

void PerfettoTrace::stream_waited(StreamId stream, std::size_t origin, Span span) {
    if (time_ == Time::kOfProfile) {
        json_.slice(stream_track(stream), "wait", span, JsonMembers().add("op", origin));
    }
}

void PerfettoTrace::device_call(const DeviceCall& call) {
    calls_.push_back(call);
}

void PerfettoTrace::finish(JsonMembers metadata) {
    for (Lane& lane : lanes_) {
        if (lane.graph) {
            close_lane(lane, last_, JsonMembers().add("ended", "never"));
        }
    }
    if (time_ == Time::kLogical) {
        metadata.add("time",
                     "logical: operation n of the Program takes microsecond n, because there is no "
                     "cost profile");
    }
    if (nodes_left_out_ > 0) {
        metadata.add("nodes_left_out", nodes_left_out_);
    }
    json_.finish(metadata);
}

void write_perfetto_trace(const Program& program,
                          const std::optional<CostProfile>& costs,
                          const TextSink& sink) {
    std::vector<CaptureGraph> graphs;
    HazardDetector hazards(program);
    PerfettoTrace trace(program,
                        graphs,
                        hazards,
                        costs ? PerfettoTrace::Time::kOfProfile : PerfettoTrace::Time::kLogical,
                        sink);
    TwoObservers both(hazards, trace);
    RunOptions options;
    options.observer = &both;
    options.timeline = &trace;
    options.device_calls = &trace;
    options.graphs = &graphs;
    options.costs = costs ? &*costs : nullptr;
    run(program, options);
    JsonMembers metadata;
    metadata.add("highwater", version());
    if (costs) {
        metadata.add("time", fmt::format("simulated, cost profile {}", costs->name));
    }
    trace.finish(std::move(metadata));
}

}  // namespace highwater
