#include "sim/snapshot/why/history_why.hpp"

#include <map>
#include <utility>

#include "sim/snapshot/allocation_stacks.hpp"

namespace highwater {
namespace {

class Onlooker : public HistoryObserver {
  public:
    Onlooker(const Snapshot& snapshot,
             const RecordedHistory& recorded,
             std::optional<std::size_t> peak_request)
        : snapshot_(snapshot), stacks_(snapshot, recorded), peak_request_(peak_request) {}

    void before(std::size_t number,
                const PlannedRequest& planned,
                const SimulatedHistory& simulated) override {
        if (number == peak_request_.value_or(0)) {
            found.peak = why_now(simulated);
        }
        if (number == peak_request_) {
            found.peak_event = planned.request.end - 1;
        }
    }

    // The allocator notes why what was free did not serve as a pool grows.
    void after(std::size_t number,
               const PlannedRequest& planned,
               const SimulatedHistory& simulated) override {
        for (const allocator::PoolUsage& usage : simulated.state().usages) {
            if (number == peak_request_ && usage.id == planned.pool) {
                found.peak.request = usage.last_growth;
            }
        }
    }

    void ended(const SimulatedHistory& simulated) override { found.end = why_now(simulated); }

    HistoryWhy found;

  private:
    Why why_now(const SimulatedHistory& simulated) const {
        const std::map<Address, StackId> stacks = stacks_.by_address(simulated);
        const auto stack_of = [&stacks](Address address) {
            const auto found_stack = stacks.find(address);
            return found_stack == stacks.end() ? kNoStack : found_stack->second;
        };
        return why(simulated.state(), owner_by_stack(snapshot_.stacks, stack_of));
    }

    const Snapshot& snapshot_;
    AllocationStacks stacks_;
    std::optional<std::size_t> peak_request_;
};

}  // namespace

HistoryWhy history_why(const Snapshot& snapshot, const Replay& replay, const Changes& changes) {
    const WhatIf played = what_if(snapshot, replay, changes);
    Onlooker onlooker(snapshot, replay.recorded, played.peak_request);
    what_if(snapshot, replay, changes, &onlooker);
    if (onlooker.found.peak.pools.empty()) {
        onlooker.found.peak = onlooker.found.end;
    }
    return std::move(onlooker.found);
}

}  // namespace highwater
