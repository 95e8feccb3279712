#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/allocator/recorded_memory.hpp"
#include "sim/snapshot/pool_evidence.hpp"
#include "sim/snapshot/replay.hpp"
#include "sim/snapshot/simulated_history.hpp"

namespace highwater {

/// Holds the allocator's rules against a history, event by event.
class ExactReplay : private TraceSink {
  public:
    /// `pools` by region. What is given outlives the replay.
    ExactReplay(const Snapshot& snapshot,
                const RecordedHistory& recorded,
                const std::vector<PoolId>& pools);

    /// Gathers what tells regions of unknown pools apart, if given.
    void set_evidence(PoolEvidence* evidence) { evidence_ = evidence; }

    /// Stops at the first departure.
    void run();

    const std::optional<ReplayDeparture>& departure() const { return departure_; }
    /// The requests with their kinds found out, those inferred added.
    std::vector<Request> requests() const;
    const Ledger& ledger() const { return ledger_; }

  private:
    void take(const TraceEvent& event) override;

    void step(const Request& request);
    void alloc(const Request& request);
    void release(const Request& request);
    void release_one(const SnapshotEvent& event);
    Request::Kind kind_of_release(const Request& request) const;
    void infer_flush(std::size_t request);
    void skip_unreplayed();
    void depart(std::size_t event, std::string expected, std::string got, std::string reason);
    std::string reason_for(const SnapshotEvent& expected, const TraceEvent& got) const;
    void expect_done(std::size_t end);
    void compare_end();
    void note_peak(const Request& request);
    void add_checkpoint(const std::string& name);

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    const std::vector<PoolId>& pools_;
    RecordedMemory memory_;
    SimulatedHistory simulated_;
    PoolEvidence* evidence_ = nullptr;
    std::vector<Request> requests_;
    /// Where empty_cache was called to no effect: before these requests.
    std::vector<std::size_t> flushes_;
    std::optional<std::size_t> last_flush_;
    std::optional<std::size_t> last_default_;
    /// The event to be met next.
    std::size_t next_ = 0;
    std::optional<ReplayDeparture> departure_;
    MemoryStats peak_;
    Ledger ledger_;
};

}  // namespace highwater
