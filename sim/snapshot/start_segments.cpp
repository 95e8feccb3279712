#include "sim/snapshot/start_segments.hpp"

#include <map>

namespace highwater {
namespace {

using FreeRequests = std::map<Address, const SnapshotBlock*>;

FreeRequests free_in(const Snapshot& snapshot) {
    FreeRequests found;
    if (snapshot.base) {
        for (const SnapshotSegment& segment : *snapshot.base) {
            for (const SnapshotBlock& block : segment.blocks) {
                found[block.address] = &block;
            }
        }
    }
    return found;
}

class Filling {
  public:
    Filling(SegmentInfo& segment, const FreeRequests& known)
        : segment_(segment), known_(known), at_(segment.address) {}

    void fill(const std::vector<StartBlock>& blocks) {
        for (const StartBlock& block : blocks) {
            add_free(block.address);
            segment_.blocks.push_back(
                {block.address, block.size, block.requested, BlockState::kActiveAllocated});
            at_ = block.address + block.size;
        }
        add_free(segment_.address + segment_.size);
    }

  private:
    void add_free(Address to) {
        if (at_ == to) {
            return;
        }
        const Bytes size = to - at_;
        const auto known = known_.find(at_);
        const bool is_known = known != known_.end() && known->second->size == size;
        segment_.blocks.push_back({at_,
                                   size,
                                   is_known ? known->second->requested : kUnknownRequest,
                                   BlockState::kInactive});
    }

    SegmentInfo& segment_;
    const FreeRequests& known_;
    Address at_;
};

}  // namespace

StartSegments start_segments(const Snapshot& snapshot,
                             const History& history,
                             const HistoryStreams& streams,
                             const std::vector<PoolId>& pools) {
    StartSegments start;
    const FreeRequests known = free_in(snapshot);
    for (const StartRange& range : history.start) {
        const Region& region = history.regions[index_of(range.region)];
        SegmentInfo segment{.address = range.address,
                            .size = range.size,
                            .stream = streams.id_of(region.stream),
                            .kind = region.kind,
                            .pool = pools[index_of(range.region)],
                            .is_expandable = region.is_expandable,
                            .blocks = {}};
        Filling(segment, known).fill(range.blocks);
        if (region.is_expandable) {
            start.reservations.push_back(region.begin);
        }
        start.segments.push_back(std::move(segment));
    }
    return start;
}

}  // namespace highwater
