#include "sim/snapshot/replayed_snapshot.hpp"

#include <algorithm>
#include <utility>

#include "sim/allocator/block.hpp"
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
        SnapshotEvent made = snapshot_event(event, streams_);
        const Origin origin = origin_of(event);
        made.stack = origin.stack;
        made.time_us = origin.time_us;
        events_.push_back(made);
    }

    void before(std::size_t number,
                const PlannedRequest& planned,
                const SimulatedHistory& simulated) override {
        if (number == 0) {
            note_streams(simulated);
        }
        next_ = planned.request.first;
        end_ = planned.request.end;
        if (next_ < end_) {
            const SnapshotEvent& last = snapshot_.events[end_ - 1];
            now_ = {last.stack, last.time_us};
        }
    }

    void ended(const SimulatedHistory& simulated) override {
        segments_ = allocator::snapshot(simulated.state());
        note_streams(simulated);
        block_stacks_ = stacks_.by_address(simulated);
    }

    Snapshot recorded(const AllocatorSettings& settings) && {
        Snapshot result = snapshot_of({segments_, {}, {}, settings, streams_}, snapshot_.name);
        result.events = std::move(events_);
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
    void note_streams(const SimulatedHistory& simulated) {
        streams_.clear();
        for (const auto& stream : simulated.state().streams) {
            streams_.push_back(stream.handle);
        }
    }

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
    EventList events_;
    std::vector<SegmentInfo> segments_;
    // The recorded ones, and those that were split off.
    std::vector<StreamHandle> streams_;
    std::map<Address, StackId> block_stacks_;
};

// What free memory served before the first event: the file's segments have it where that memory was
// not used again.
void take_last_requests(Snapshot& replayed, const Snapshot& recorded) {
    std::map<Address, const SnapshotBlock*> free;
    for (const SnapshotSegment& segment : recorded.segments) {
        for (const SnapshotBlock& block : segment.blocks) {
            if (block.state == BlockState::kInactive) {
                free[block.address] = &block;
            }
        }
    }
    for (SnapshotSegment& segment : replayed.segments) {
        for (SnapshotBlock& block : segment.blocks) {
            const auto known = free.find(block.address);
            if (block.requested == kUnknownRequest && known != free.end() &&
                known->second->size == block.size) {
                block.requested = known->second->requested;
            }
        }
    }
}

}  // namespace

Snapshot replayed_snapshot(const Snapshot& snapshot, const Replay& replay, const Changes& changes) {
    Recorder recorder(snapshot, replay.recorded);
    const WhatIf played = what_if(snapshot, replay, changes, &recorder);
    Snapshot result = std::move(recorder).recorded(played.settings);
    if (changes == Changes()) {
        take_last_requests(result, snapshot);
    }
    return result;
}

}  // namespace highwater
