#include "sim/snapshot/allocation_stacks.hpp"

#include <algorithm>

namespace highwater {
namespace {

// Of what lives in the file's segments at the end.
std::map<Address, StackId> stacks_at_the_end(const Snapshot& snapshot) {
    std::map<Address, StackId> stacks;
    for (const SnapshotSegment& segment : snapshot.segments) {
        for (const SnapshotBlock& block : segment.blocks) {
            stacks[block.address] = block.stack;
        }
    }
    return stacks;
}

}  // namespace

AllocationStacks::AllocationStacks(const Snapshot& snapshot, const RecordedHistory& recorded) {
    const std::map<Address, StackId> at_the_end = stacks_at_the_end(snapshot);
    std::vector<StackId>& stacks = by_allocation_;
    for (const StartRange& range : recorded.history.start) {
        for (const StartBlock& block : range.blocks) {
            const auto found = at_the_end.find(block.address);
            stacks.push_back(found == at_the_end.end() ? kNoStack : found->second);
        }
    }
    of_start_ = stacks.size();
    for (const Request request : recorded.requests) {
        const std::size_t allocation = index_of(request.allocation);
        if (request.kind == Request::Kind::kAlloc) {
            stacks.resize(std::max(stacks.size(), allocation + 1), kNoStack);
            stacks[allocation] = snapshot.events[request.end - 1].stack;
        } else if (request.kind == Request::Kind::kFree && allocation < of_start_) {
            stacks[allocation] = kNoStack;
        }
    }
}

std::map<Address, StackId> AllocationStacks::by_address(const SimulatedHistory& simulated) const {
    std::map<Address, StackId> stacks;
    const std::vector<BlockId>& blocks = simulated.blocks();
    for (std::size_t i = 0; i < std::min(blocks.size(), by_allocation_.size()); ++i) {
        const bool is_known = i >= of_start_ || by_allocation_[i] != kNoStack;
        if (blocks[i] != kNoBlock && is_known) {
            stacks[simulated.state().blocks[blocks[i]].address] = by_allocation_[i];
        }
    }
    return stacks;
}

}  // namespace highwater
