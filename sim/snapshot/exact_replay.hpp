#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/allocator/recorded_memory.hpp"
#include "sim/snapshot/history_ledger.hpp"
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

    /// Changes the settings before the request that leads to the event.
    void change_settings(std::size_t event, const AllocatorSettings& settings) {
        change_ = {event, settings};
    }

    /// Stops at the first departure.
    void run();

    const std::optional<ReplayDeparture>& departure() const { return departure_; }

    /// A block of the start that would have to be larger, within its slack, for the departure not
    /// to come; none if that explains nothing.
    struct Growth {
        Address block;
        Bytes by;
    };
    const std::optional<Growth>& growth() const { return growth_; }

    /// The requests with their kinds found out, those inferred added.
    RequestList requests() const;
    const Ledger& ledger() const { return ledger_.ledger; }

  private:
    struct SettingsChange {
        std::size_t event = 0;
        AllocatorSettings settings;
    };

    void take(const TraceEvent& event) override;

    Request request_at(std::size_t index);
    void step(std::size_t index, const Request& request);
    void alloc(std::size_t index, const Request& request);
    bool follows_rules(const Request& request) const;
    void explain_by_growth(const Request& request);
    std::optional<Growth> growth_before(const Block& free, Bytes by) const;
    void release(const Request& request);
    void release_one(const SnapshotEvent& event);
    bool missed_block(std::size_t index) const;
    void note_retry(std::size_t index);
    bool makes_room_for_next(std::size_t index) const;
    void gather_evidence(std::size_t index);
    Request::Kind kind_of_release(std::size_t index) const;
    bool is_of_alloc(const Request& release, const Request& alloc) const;
    bool is_default(const Request& request) const;
    bool is_generator_state(std::size_t index, StreamHandle stream) const;
    bool has_releasable() const;
    void infer_flush(std::size_t index, const Request& request);
    void skip_unreplayed();
    void depart(std::size_t event, std::string expected, std::string got, std::string reason);
    void expect_done(std::size_t end);
    void compare_end();

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    const std::vector<PoolId>& pools_;
    RecordedMemory memory_;
    SimulatedHistory simulated_;
    PoolEvidence* evidence_ = nullptr;
    const RequestList& requests_;
    /// What releases were found to be, where that is not kRelease.
    std::map<std::size_t, Request::Kind> found_kinds_;
    /// Allocations that looked like part of setting a pool back, and follow the rules.
    std::set<std::size_t> ordinary_;
    /// Where empty_cache was called to no effect: before these requests.
    std::vector<std::size_t> flushes_;
    bool changed_since_flush_ = true;
    std::optional<SettingsChange> change_;
    /// The event to be met next.
    std::size_t next_ = 0;
    std::optional<ReplayDeparture> departure_;
    /// By address: how much larger the blocks of the start may be.
    std::map<Address, Bytes> slack_;
    std::optional<Growth> growth_;
    HistoryLedger ledger_;
};

}  // namespace highwater
