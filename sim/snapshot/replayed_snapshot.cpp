#include "sim/snapshot/replayed_snapshot.hpp"

#include <algorithm>
#include <utility>

#include "sim/snapshot/allocation_stacks.hpp"
#include "sim/snapshot/snapshot_of.hpp"

namespace highwater {
namespace {

// Where an event of the allocator comes from.
struct Origin {
    StackId stack = kNoStack;
    std::int64_t time_us = 0;
};

class Recorder : public HistoryObserver {
  public:
    Recorder(const Snapshot& snapshot, const RecordedHistory& recorded)
        : snapshot_(snapshot), stacks_(snapshot, recorded) {
        for (const SnapshotSegment& segment : snapshot.segments) {
            segment_stacks_[segment.address] = segment.stack;
        }
    }

    void take(const TraceEvent& event) override {
        events_.push_back(event);
        origins_.push_back(origin_of(event));
    }

    void before(std::size_t /*number*/,
                const PlannedRequest& planned,
                const SimulatedHistory& /*simulated*/) override {
        next_ = planned.request.first;
        end_ = planned.request.end;
        if (next_ < end_) {
            const SnapshotEvent& last = snapshot_.events[end_ - 1];
            now_ = {last.stack, last.time_us};
        }
    }

    void ended(const SimulatedHistory& simulated) override {
        segments_ = allocator::snapshot(simulated.state());
        for (const auto& stream : simulated.state().streams) {
            streams_.push_back(stream.handle);
        }
        block_stacks_ = stacks_.by_address(simulated);
    }

    Snapshot recorded(const AllocatorSettings& settings) const {
        Snapshot result = snapshot_of({segments_, events_, {}, settings, streams_}, snapshot_.name);
        const EventList without = std::exchange(result.events, {});
        for (std::size_t i = 0; i < without.size(); ++i) {
            SnapshotEvent event = without[i];
            event.stack = origins_[i].stack;
            event.time_us = origins_[i].time_us;
            result.events.push_back(event);
        }
        for (SnapshotSegment& segment : result.segments) {
            const auto taken = segment_stacks_.find(segment.address);
            segment.stack = taken == segment_stacks_.end() ? kNoStack : taken->second;
            for (SnapshotBlock& block : segment.blocks) {
                const auto found = block_stacks_.find(block.address);
                block.stack = found == block_stacks_.end() ? kNoStack : found->second;
            }
        }
        result.device = snapshot_.device;
        result.annotations = snapshot_.annotations;
        result.stacks = snapshot_.stacks;
        return result;
    }

  private:
    // What happens as it did has its own origin, all else that of the request.
    Origin origin_of(const TraceEvent& event) {
        if (next_ < end_ && snapshot_.events[next_].action == action_of(event.kind)) {
            const SnapshotEvent& same = snapshot_.events[next_++];
            return {same.stack, same.time_us};
        }
        return now_;
    }

    const Snapshot& snapshot_;
    AllocationStacks stacks_;
    std::map<Address, StackId> segment_stacks_;
    Origin now_;
    // The events of the request that are still to come.
    std::size_t next_ = 0;
    std::size_t end_ = 0;
    std::vector<TraceEvent> events_;
    std::vector<Origin> origins_;
    std::vector<SegmentInfo> segments_;
    // The recorded ones, and those that were split off.
    std::vector<StreamHandle> streams_;
    std::map<Address, StackId> block_stacks_;
};

}  // namespace

Snapshot replayed_snapshot(const Snapshot& snapshot, const Replay& replay, const Changes& changes) {
    Recorder recorder(snapshot, replay.recorded);
    const WhatIf result = what_if(snapshot, replay, changes, &recorder);
    return recorder.recorded(result.settings);
}

}  // namespace highwater
