#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/capture/capture_graph.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/engine/run_observer.hpp"
#include "sim/engine/timed_memory.hpp"
#include "sim/hazards/hazard_detector.hpp"
#include "sim/report/pool_meter.hpp"
#include "sim/report/trace_json.hpp"

namespace highwater {

/// Writes a run as it happens: host threads with their calls, streams with what they worked on or
/// waited for, the nodes of replayed graphs, captures, each pool's memory, and where it ran out or
/// went wrong. To be `RunOptions::observer`, `timeline` and `device_calls` at once.
///
/// Without a cost profile time is logical: operation n of the Program takes the microsecond n, and
/// what it puts into a stream is shown there and then.
class PerfettoTrace final : public RunObserver, public TimelineListener, public DeviceCallListener {
  public:
    enum class Time { kOfProfile, kLogical };

    /// A replay shows its nodes as long as there are no more of them than this in all.
    static constexpr std::size_t kMostNodes = 1'000'000;

    /// `program` runs; `graphs` are the graphs that its captures give (`RunOptions::graphs`);
    /// `hazards` hears of each operation before the trace does. They outlive it.
    PerfettoTrace(const Program& program,
                  const std::vector<CaptureGraph>& graphs,
                  const HazardDetector& hazards,
                  Time time,
                  TextSink sink);

    void take(const TraceEvent& event) override;
    void took(std::size_t op, const OpResult& result, const Executor& executor) override;
    void failed(std::size_t op, const Executor& executor) override;

    void work_done(StreamId stream, std::size_t origin, Span span) override;
    void graph_done(StreamId stream, std::size_t origin, Span span) override;
    void node_done(StreamId stream, std::size_t tag, std::uint32_t node, Span span) override;
    void stream_waited(StreamId stream, std::size_t origin, Span span) override;

    void device_call(const DeviceCall& call) override;

    /// Once, when the run is over. `metadata` is added to what the trace says about itself.
    void finish(JsonMembers metadata);

  private:
    /// A capture under way, on a track beside its thread's.
    struct Lane {
        ThreadId thread{};
        std::optional<GraphId> graph;
        Instant begin{};
    };

    Span span_of(std::size_t op, const Executor& executor) const;
    Span placed(std::size_t origin, Span span) const;
    std::string stream_name(StreamId stream) const;
    TraceJson::Track stream_track(StreamId stream);
    void write_call(std::size_t op, Span span, const Executor& executor);
    void write_device_calls(TraceJson::Track track, Span within);
    void write_memory(Instant at, const Executor& executor);
    void write_counter(const std::string& pool, Instant at, Bytes reserved, Bytes allocated);
    void write_hazards(TraceJson::Track track, Instant at);
    void follow_capture(std::size_t op, Span span, ThreadId thread);
    std::size_t free_lane(ThreadId thread);
    void close_lane(Lane& lane, Instant end, const JsonMembers& args = {});

    const Program& program_;
    const std::vector<CaptureGraph>& graphs_;
    const HazardDetector& hazards_;
    Time time_;
    TraceJson json_;
    PoolMeter meter_;
    std::vector<DeviceCall> calls_;
    bool ran_out_ = false;
    std::size_t hazards_told_ = 0;
    std::vector<Lane> lanes_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> named_tracks_;
    std::size_t nodes_ = 0;
    std::size_t nodes_left_out_ = 0;
    Instant last_{};
};

/// Runs the Program once more, and writes its trace. Throws what `run` throws.
void write_perfetto_trace(const Program& program,
                          const std::optional<CostProfile>& costs,
                          const TextSink& sink);

}  // namespace highwater
