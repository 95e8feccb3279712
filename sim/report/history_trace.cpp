#include "sim/report/history_trace.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/report/size_text.hpp"
#include "sim/report/version.hpp"
#include "sim/snapshot/why/owner.hpp"

namespace highwater {
namespace {

using Track = TraceJson::Track;

// The groups of tracks.
constexpr std::uint32_t kCaptureTracks = 1;
constexpr std::uint32_t kStreamTracks = 2;
constexpr std::uint32_t kMemoryTracks = 3;

constexpr Duration kLogicalRequest = std::chrono::microseconds{1};

bool has_times(const Snapshot& snapshot) {
    return std::ranges::any_of(snapshot.events,
                               [](const SnapshotEvent& event) { return event.time_us != 0; });
}

std::string pool_text(PoolId id) {
    const auto names = pool_names({id});
    return names.empty() ? std::string("default") : names.begin()->second;
}

}  // namespace

HistoryTrace::HistoryTrace(const Snapshot& snapshot,
                           const RecordedHistory& recorded,
                           const std::vector<FoundCapture>& captures,
                           bool keeps_times,
                           TextSink sink)
    : snapshot_(snapshot),
      recorded_(recorded),
      has_times_(keeps_times && has_times(snapshot)),
      json_(std::move(sink)) {
    json_.name_group(kCaptureTracks, "captures, as found");
    json_.name_group(kStreamTracks, "streams");
    json_.name_group(kMemoryTracks, "memory");
    json_.name_track({kCaptureTracks, 0}, "captures");
    for (std::size_t i = 0; i < captures.size(); ++i) {
        for (std::size_t request = captures[i].first; request < captures[i].end; ++request) {
            capture_of_[recorded.requests[request].first] = i;
        }
    }
}

Instant HistoryTrace::time_of(std::size_t number, const Request& request) const {
    if (!has_times_ || request.first >= request.end) {
        return has_times_ ? now_ : Instant{} + kLogicalRequest * static_cast<Duration::rep>(number);
    }
    const std::int64_t first = snapshot_.events[recorded_.history.first_event].time_us;
    return Instant{} + std::chrono::microseconds{snapshot_.events[request.end - 1].time_us - first};
}

TraceJson::Track HistoryTrace::stream_track(StreamId stream) {
    const Track track{kStreamTracks, static_cast<std::uint32_t>(index_of(stream))};
    if (named_.insert(stream).second) {
        json_.name_track(track, recorded_.streams.name_of(stream));
    }
    return track;
}

void HistoryTrace::before(std::size_t number,
                          const PlannedRequest& planned,
                          const SimulatedHistory& simulated) {
    if (number == 0) {
        meter_.begin(simulated.state());
        write_memory(simulated);
    }
    request_ = &planned.request;
    now_ = std::max(now_, time_of(number, planned.request));
    follow_capture(planned.request);
}

void HistoryTrace::follow_capture(const Request& request) {
    const auto found = capture_of_.find(request.first);
    if (capture_ && (found == capture_of_.end() || found->second != capture_->number)) {
        close_capture();
    }
    if (!capture_ && found != capture_of_.end()) {
        capture_ = OpenCapture{found->second, now_};
    }
}

void HistoryTrace::close_capture() {
    json_.slice({kCaptureTracks, 0},
                fmt::format("capture {}", capture_->number + 1),
                {capture_->begin, now_});
    capture_.reset();
}

JsonMembers HistoryTrace::args_of(const TraceEvent& event) const {
    JsonMembers args;
    args.add("bytes", event.size.count);
    args.add("address", fmt::format("{:#x}", event.address.value));
    args.add("pool", pool_text(event.pool));
    if (request_ != nullptr && request_->first < request_->end) {
        args.add("event", request_->end - 1);
        const StackFrame* frame =
            owner_frame(snapshot_.stacks, snapshot_.events[request_->end - 1].stack);
        if (frame != nullptr) {
            args.add("by", frame_text(*frame));
        }
    }
    return args;
}

void HistoryTrace::take(const TraceEvent& event) {
    meter_.take(event);
    json_.instant(stream_track(event.stream),
                  fmt::format("{} {}", name_of(event.kind), size_text(event.size)),
                  now_,
                  args_of(event));
}

void HistoryTrace::after(std::size_t /*number*/,
                         const PlannedRequest& /*planned*/,
                         const SimulatedHistory& simulated) {
    write_memory(simulated);
}

void HistoryTrace::write_memory(const SimulatedHistory& simulated) {
    for (const PoolMeter::Reading& now : meter_.changes(simulated.state())) {
        json_.counter(kMemoryTracks,
                      pool_text(now.pool),
                      now_,
                      JsonMembers()
                          .add("allocated", now.allocated.count)
                          .add("reserved", now.reserved.count));
    }
}

void HistoryTrace::ended(const SimulatedHistory& /*simulated*/) {
    if (capture_) {
        now_ += kLogicalRequest;
        close_capture();
    }
}

void HistoryTrace::finish(JsonMembers metadata) {
    if (!has_times_) {
        metadata.add("time", "logical: request n of the history takes microsecond n");
    }
    json_.finish(metadata);
}

void write_history_trace(const Snapshot& snapshot,
                         const Replay& replay,
                         const Changes& changes,
                         const TextSink& sink) {
    const std::vector<FoundCapture> captures = captures_found(replay.recorded);
    HistoryTrace trace(snapshot, replay.recorded, captures, !changes.capture_order, sink);
    what_if(snapshot, replay, changes, &trace);
    trace.finish(JsonMembers().add("highwater", version()).add("snapshot", snapshot.name));
}

}  // namespace highwater
