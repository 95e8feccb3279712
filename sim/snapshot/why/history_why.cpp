#include "sim/snapshot/why/history_why.hpp"

#include <map>
#include <utility>

#include "sim/allocator/stranded.hpp"
#include "sim/snapshot/allocation_stacks.hpp"

namespace highwater {
namespace {

// The frees of a history wait in one list.
void count_as_waiting(StrandedBytes& stranded) {
    Bytes& parked = stranded[StrandedReason::kParked];
    stranded[StrandedReason::kWaitingForEvents] += std::exchange(parked, Bytes{});
}

void count_as_waiting(Why& why) {
    for (PoolWhy& pool : why.pools) {
        pool.waiting += std::exchange(pool.parked, Bytes{});
        if (pool.last_growth) {
            count_as_waiting(pool.last_growth->stranded);
        }
    }
    for (allocator::PoolStreamBytes& row : why.streams) {
        row.waiting += std::exchange(row.parked, Bytes{});
    }
    if (why.request) {
        count_as_waiting(why.request->stranded);
    }
}

class Onlooker : public HistoryObserver {
  public:
    Onlooker(const Snapshot& snapshot, const RecordedHistory& recorded, const WhatIf& played)
        : snapshot_(snapshot), recorded_(recorded), stacks_(snapshot, recorded), played_(played) {
        for (const Request request : recorded.requests) {
            if (request.kind == Request::Kind::kOutOfMemory &&
                snapshot.events[request.end - 1].action == SnapshotEvent::Action::kOom) {
                failed_event_ = request.end - 1;
            }
        }
        if (played.ledger.failure) {
            failed_event_ = played.ledger.failure->op;
        }
    }

    void before(std::size_t number,
                const PlannedRequest& planned,
                const SimulatedHistory& simulated) override {
        if (number == played_.peak_request.value_or(0)) {
            found.peak = why_now(simulated, std::nullopt);
        }
        if (number == played_.peak_request) {
            found.peak_event = planned.request.end - 1;
        }
        if (planned.request.first < planned.request.end &&
            planned.request.end - 1 == failed_event_) {
            found.out_of_memory = {*failed_event_, why_now(simulated, asked(planned, simulated))};
        }
    }

    // The allocator notes why what was free did not serve as a pool grows.
    void after(std::size_t number,
               const PlannedRequest& planned,
               const SimulatedHistory& simulated) override {
        for (const allocator::PoolUsage& usage : simulated.state().usages) {
            if (number == played_.peak_request && usage.id == planned.pool) {
                found.peak.request = usage.last_growth;
            }
        }
    }

    void ended(const SimulatedHistory& simulated) override {
        found.end = why_now(simulated, std::nullopt);
        if (played_.captures.empty()) {
            count_as_waiting(found.peak);
            count_as_waiting(found.end);
            if (found.out_of_memory) {
                count_as_waiting(found.out_of_memory->why);
            }
        }
    }

    HistoryWhy found;

  private:
    // Of a recorded failure the file has the event alone: its pool is taken to be the default one.
    std::optional<allocator::Request> asked(const PlannedRequest& planned,
                                            const SimulatedHistory& simulated) const {
        const SnapshotEvent event = snapshot_.events[planned.request.end - 1];
        const bool is_recorded = planned.request.kind == Request::Kind::kOutOfMemory;
        const StreamId stream =
            is_recorded ? recorded_.streams.id_of(event.stream) : planned.stream;
        return event.size == Bytes{}
                   ? std::nullopt
                   : allocator::request_in(simulated.state(),
                                           event.size,
                                           stream,
                                           is_recorded ? kDefaultPoolId : planned.pool);
    }

    Why why_now(const SimulatedHistory& simulated,
                const std::optional<allocator::Request>& request) const {
        const std::map<Address, StackId> stacks = stacks_.by_address(simulated);
        const auto owner_of = [&](Address address) {
            const auto stack = stacks.find(address);
            if (stack == stacks.end()) {
                return std::string(kOwnerBefore);
            }
            const StackFrame* frame = owner_frame(snapshot_.stacks, stack->second);
            return frame == nullptr ? std::string(kOwnerWithoutStack) : frame_text(*frame);
        };
        return why(simulated.state(), owner_of, request);
    }

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    AllocationStacks stacks_;
    const WhatIf& played_;
    std::optional<std::size_t> failed_event_;
};

}  // namespace

HistoryWhy history_why(const Snapshot& snapshot,
                       const Replay& replay,
                       const Changes& changes,
                       const WhatIf& played) {
    Onlooker onlooker(snapshot, replay.recorded, played);
    what_if(snapshot, replay, changes, &onlooker);
    if (onlooker.found.peak.pools.empty()) {
        onlooker.found.peak = onlooker.found.end;
    }
    return std::move(onlooker.found);
}

}  // namespace highwater
