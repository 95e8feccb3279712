#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/report/pool_meter.hpp"
#include "sim/report/trace_json.hpp"
#include "sim/snapshot/what_if.hpp"

namespace highwater {

/// Writes a replayed history as it is played: streams with what was allocated and freed on them and
/// what the device was asked for, captures as they were found, and each pool's memory. Times are
/// the file's, from its first event on; without them, or where captures change places, request n
/// takes the microsecond n.
class HistoryTrace final : public HistoryObserver {
  public:
    /// What is given outlives it.
    HistoryTrace(const Snapshot& snapshot,
                 const RecordedHistory& recorded,
                 const std::vector<FoundCapture>& captures,
                 bool keeps_times,
                 TextSink sink);

    void take(const TraceEvent& event) override;
    void before(std::size_t number,
                const PlannedRequest& planned,
                const SimulatedHistory& simulated) override;
    void after(std::size_t number,
               const PlannedRequest& planned,
               const SimulatedHistory& simulated) override;
    void ended(const SimulatedHistory& simulated) override;

    /// Once, when the history has been played.
    void finish(JsonMembers metadata);

  private:
    struct OpenCapture {
        std::size_t number = 0;
        Instant begin{};
    };

    Instant time_of(std::size_t number, const Request& request) const;
    TraceJson::Track stream_track(StreamId stream);
    void write_memory(const SimulatedHistory& simulated);
    void follow_capture(const Request& request);
    void close_capture();
    JsonMembers args_of(const TraceEvent& event) const;

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    bool has_times_;
    TraceJson json_;
    PoolMeter meter_;
    /// By the first event of each of their requests.
    std::map<std::size_t, std::size_t> capture_of_;
    std::optional<OpenCapture> capture_;
    std::set<StreamId> named_;
    const Request* request_ = nullptr;
    Instant now_{};
};

/// Plays the history under `changes` and writes its trace. Throws what `what_if` throws.
void write_history_trace(const Snapshot& snapshot,
                         const Replay& replay,
                         const Changes& changes,
                         const TextSink& sink);

}  // namespace highwater
