#include "sim/snapshot/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sim/allocator/predicted_error.hpp"
#include "sim/allocator/release.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/run.hpp"
#include "sim/snapshot/history_ledger.hpp"
#include "sim/snapshot/merged_workspaces.hpp"
#include "sim/snapshot/planned_requests.hpp"
#include "sim/snapshot/planned_start.hpp"
#include "sim/snapshot/profile.hpp"
#include "sim/snapshot/stream_map.hpp"
#include "sim/snapshot/what_if_notices.hpp"

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;
using Kind = Request::Kind;

AllocatorSettings settings_for(const Changes& changes, const RecordedHistory& recorded) {
    AllocatorSettings settings =
        changes.conf ? parse_conf(*changes.conf, "--conf") : recorded.settings;
    check_profile(changes.profile, settings, "--profile");
    if (changes.conf && settings.per_process_memory_fraction < 1 && !changes.capacity) {
        throw InputError({"--conf"},
                         "per_process_memory_fraction is a share of the card's memory",
                         "say with `--capacity` how much that is");
    }
    return settings;
}

// Above all that the program has.
std::vector<StreamHandle> handles_of(const HistoryStreams& recorded, const StreamMap& streams) {
    std::vector<StreamHandle> handles = recorded.handles();
    const std::uint64_t last = static_cast<std::uint64_t>(*std::ranges::max_element(handles));
    for (std::size_t i = 0; i < streams.added.size(); ++i) {
        handles.push_back(StreamHandle{last + 1 + i});
    }
    return handles;
}

// What the file shows and the what-if does, of one request.
class SegmentEvents : public TraceSink {
  public:
    explicit SegmentEvents(TraceSink* also) : also_(also) {}

    void take(const TraceEvent& event) override {
        if (also_ != nullptr) {
            also_->take(event);
        }
        if (event.kind == TraceEvent::Kind::kSegmentAlloc ||
            event.kind == TraceEvent::Kind::kSegmentFree ||
            event.kind == TraceEvent::Kind::kSegmentMap ||
            event.kind == TraceEvent::Kind::kSegmentUnmap) {
            events.emplace_back(index_of(event.kind), event.size);
        }
    }
    std::vector<std::pair<std::size_t, Bytes>> events;

  private:
    TraceSink* also_;
};

class Simulation {
  public:
    Simulation(const Snapshot& snapshot,
               const RecordedHistory& recorded,
               const Changes& changes,
               HistoryObserver* observer)
        : snapshot_(snapshot),
          recorded_(recorded),
          changes_(changes),
          settings_(settings_for(changes, recorded)),
          captures_(captures_found(recorded)),
          streams_(stream_map(changes.map_streams, snapshot, recorded, captures_, "--map-streams")),
          memory_(snapshot, recorded.history, changes.capacity),
          simulated_(settings_,
                     std::max(changes.capacity.value_or(kHistoryMemory), Bytes{1}),
                     memory_,
                     handles_of(recorded.streams, streams_)),
          workspaces_(merged_workspaces(recorded, streams_.at_start)),
          start_(snapshot, recorded, settings_, workspaces_),
          observer_(observer),
          taken_(observer) {
        if (!changes.pools || changes.pools == PoolChange::kPerGraph) {
            simulated_.forbid_splits(recorded.no_split);
        }
        if (changes.capacity && settings_.per_process_memory_fraction < 1) {
            simulated_.state().limit = Bytes{static_cast<std::uint64_t>(
                std::floor(settings_.per_process_memory_fraction *
                           static_cast<double>(changes.capacity->count)))};
        }
    }

    WhatIf run() {
        lay_out_start();
        ledger_.start(simulated_);
        simulated_.state().trace = &taken_;
        std::size_t number = 0;
        make_requests({recorded_, captures_, changes_, streams_},
                      [&](const PlannedRequest& planned) { return make(number++, planned); });
        if (observer_ != nullptr) {
            observer_->ended(simulated_);
        }
        return result();
    }

    /// Bytes that were free at the start and are not there.
    Bytes dropped() const { return start_.dropped(); }
    const MergedWorkspaces& workspaces() const { return workspaces_; }

    const StreamMap& streams() const { return streams_; }

  private:
    // Whether the next one is to be made.
    bool make(std::size_t number, const PlannedRequest& planned) {
        if (ledger_.ledger.failure) {
            return false;
        }
        observe(&HistoryObserver::before, number, planned);
        step(planned);
        ledger_.note(simulated_);
        observe(&HistoryObserver::after, number, planned);
        pools_.insert(planned.pool);
        return true;
    }

    void lay_out_start() {
        std::vector<PoolId> pools;
        for (const Region& region : recorded_.history.regions) {
            pools.push_back(planned_pool(region.pool.value_or(kDefaultPoolId), changes_));
        }
        const auto failed = start_.lay_out(simulated_, memory_, streams_.at_start, pools);
        if (failed) {
            fail(Failure::Kind::kOutOfMemory,
                 recorded_.history.first_event,
                 "what was allocated at the start does not fit: " + message_of(*failed));
        }
        for (const AddedWorkspace& each : streams_.workspaces) {
            if (!each.before) {
                const PoolId pool = pools[index_of(each.start_region)];
                note_failure(simulated_.alloc(each.allocation, each.size, each.stream, pool),
                             recorded_.history.first_event);
            }
        }
        simulated_.begin_counting();
    }

    void note_failure(const MallocResult& result, std::size_t event) {
        if (const auto* failed = std::get_if<OutOfMemory>(&result)) {
            fail(Failure::Kind::kOutOfMemory, event, message_of(*failed));
        }
    }

    void fail(Failure::Kind kind, std::size_t event, std::string message) {
        if (!ledger_.ledger.failure) {
            ledger_.ledger.failure = Failure{kind, event, std::move(message)};
        }
    }

    using Moment = void (HistoryObserver::*)(std::size_t,
                                             const PlannedRequest&,
                                             const SimulatedHistory&);
    void observe(Moment moment, std::size_t number, const PlannedRequest& planned) {
        if (observer_ != nullptr) {
            (observer_->*moment)(number, planned, simulated_);
        }
    }

    void step(const PlannedRequest& planned) {
        taken_.events.clear();
        try {
            serve(planned);
        } catch (const PredictedError& error) {
            fail(Failure::Kind::kPyTorchError, planned.request.first, error.what());
        }
        if (!parts_at_ && taken_.events != recorded_events(planned.request)) {
            parts_at_ = planned.request.first;
        }
    }

    void serve(const PlannedRequest& planned) {
        const Request& request = planned.request;
        switch (request.kind) {
            case Kind::kAlloc:
                alloc(planned);
                break;
            case Kind::kFree:
                simulated_.free(request.allocation, request.waits);
                break;
            case Kind::kCompleteFree:
                simulated_.complete(request.allocation);
                break;
            case Kind::kEmptyCache:
                give_up(planned.given_up);
                simulated_.empty_cache();
                break;
            case Kind::kReleasePools:
                give_up(planned.given_up);
                allocator::release_freeable_pools(simulated_.state());
                break;
            // The allocator's own doing: it may not come to that, or come to it elsewhere.
            case Kind::kRelease:
            case Kind::kOutOfMemory:
                break;
        }
    }

    void alloc(const PlannedRequest& planned) {
        const Request& request = planned.request;
        if (workspaces_.has(request.allocation)) {
            return;
        }
        auto& pools = simulated_.state().private_pools;
        if (const auto known = pools.find(planned.pool); known != pools.end()) {
            known->second.use_count = 1;
        }
        note_failure(
            simulated_.alloc(request.allocation, request.size, planned.stream, planned.pool),
            request.end - 1);
    }

    void give_up(const std::vector<PoolId>& given_up) {
        for (const PoolId id : given_up) {
            auto& pools = simulated_.state().private_pools;
            if (const auto known = pools.find(id); known != pools.end()) {
                known->second.use_count = 0;
            }
        }
    }

    std::vector<std::pair<std::size_t, Bytes>> recorded_events(const Request& request) const {
        std::vector<std::pair<std::size_t, Bytes>> events;
        for (std::size_t i = request.first; i < request.end; ++i) {
            const SnapshotEvent& event = snapshot_.events[i];
            if (event.action >= Action::kSegmentAlloc && event.action <= Action::kSegmentUnmap) {
                events.emplace_back(index_of(event.action), event.size);
            }
        }
        return events;
    }

    WhatIf result() {
        std::vector<PoolId> pools(pools_.begin(), pools_.end());
        for (const Region& region : recorded_.history.regions) {
            pools.push_back(region.pool.value_or(kDefaultPoolId));
        }
        ledger_.end(simulated_, pool_names(pools));
        WhatIf result{
            settings_, std::move(ledger_.ledger), {}, parts_at_, ledger_.peak(), captures_, {}};
        const std::size_t recorded_streams = streams_.at_start.size();
        result.streams.resize(recorded_streams + streams_.added.size());
        for (std::size_t i = 0; i < recorded_streams; ++i) {
            result.streams[index_of(streams_.at_start[i])].push_back(
                recorded_.streams.name_of(StreamId{static_cast<std::uint32_t>(i)}));
        }
        for (std::size_t i = 0; i < streams_.added.size(); ++i) {
            result.streams[recorded_streams + i].push_back(streams_.added[i].name);
        }
        return result;
    }

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    const Changes& changes_;
    AllocatorSettings settings_;
    std::vector<FoundCapture> captures_;
    StreamMap streams_;
    PredictedMemory memory_;
    SimulatedHistory simulated_;
    MergedWorkspaces workspaces_;
    PlannedStart start_;
    HistoryObserver* observer_;
    SegmentEvents taken_;
    /// Those asked for.
    std::set<PoolId> pools_;
    HistoryLedger ledger_;
    std::optional<std::size_t> parts_at_;
};

}  // namespace

WhatIf what_if(const Snapshot& snapshot,
               const Replay& replay,
               const Changes& changes,
               HistoryObserver* observer) {
    Simulation simulation(snapshot, replay.recorded, changes, observer);
    WhatIf result = simulation.run();
    result.notices =
        what_if_notices(replay, {simulation.dropped(), simulation.workspaces()}, changes);
    for (const auto& more :
         {split_notices(simulation.streams()), profile_notices(changes.profile)}) {
        result.notices.insert(result.notices.end(), more.begin(), more.end());
    }
    return result;
}

}  // namespace highwater
