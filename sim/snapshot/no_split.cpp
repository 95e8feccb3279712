#include "sim/snapshot/no_split.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/allocator/block.hpp"
#include "sim/allocator/constants.hpp"
#include "sim/allocator/rounding.hpp"

namespace highwater {
namespace {

struct Signs {
    bool is_split = false;
    bool leaves_rest = false;
};

class SignSearch {
  public:
    SignSearch(const Snapshot& snapshot, const RecordedHistory& recorded)
        : snapshot_(snapshot), recorded_(recorded) {}

    std::vector<PoolId> pools() {
        for (const SnapshotSegment& segment : snapshot_.segments) {
            visit(segment);
        }
        for (const StartRange& range : recorded_.history.start) {
            const Region& region = recorded_.history.regions[index_of(range.region)];
            for (const StartBlock& block : range.blocks) {
                // What it had is not known yet.
                note(region, block.address - range.address, block.requested, std::nullopt);
            }
        }
        for (const Request request : recorded_.requests) {
            if (request.kind == Request::Kind::kAlloc) {
                visit(request);
            }
        }
        std::vector<PoolId> result;
        for (const auto& [pool, signs] : signs_) {
            if (pool != kDefaultPoolId && signs.leaves_rest && !signs.is_split) {
                result.push_back(pool);
            }
        }
        return result;
    }

  private:
    void visit(const SnapshotSegment& segment) {
        Region region;
        region.kind = segment.kind;
        region.is_expandable = segment.is_expandable;
        region.pool = segment.pool;
        for (const SnapshotBlock& block : segment.blocks) {
            const bool is_known =
                block.state != BlockState::kInactive && block.requested != kUnknownRequest;
            note(region,
                 block.address - segment.address,
                 is_known ? block.requested : block.size,
                 block.size);
        }
    }

    void visit(const Request& request) {
        const Region& region = recorded_.history.regions[index_of(request.region)];
        const Address address = snapshot_.events[request.end - 1].address;
        std::optional<Bytes> size;
        if (!region.is_expandable) {
            size = region.end - region.begin;
        }
        note(region, address - region.begin, request.size, size);
    }

    // A block so far into its segment, for a request. Its size, if known, is what it has unless it
    // is split.
    void note(const Region& region, Bytes into, Bytes requested, std::optional<Bytes> size) {
        if (!region.pool) {
            return;
        }
        Signs& signs = signs_[*region.pool];
        const Bytes page =
            region.kind == PoolKind::kSmall ? kSmallBuffer : recorded_.settings.large_segment_size;
        // Blocks of an expandable segment are whole pages then.
        signs.is_split |= region.is_expandable ? into % page > Bytes{0} : into > Bytes{0};
        const Bytes rounded = round_size(recorded_.settings, requested);
        if (size && *size > rounded) {
            const bool splits_all =
                region.kind == PoolKind::kSmall || recorded_.settings.expandable_segments;
            const Bytes least = splits_all ? kMinBlockSize : kSmallSize + kMinBlockSize;
            signs.leaves_rest |= *size - rounded >= least;
        }
    }

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    std::map<PoolId, Signs> signs_;
};

}  // namespace

std::vector<PoolId> maybe_no_split(const Snapshot& snapshot, const RecordedHistory& recorded) {
    return SignSearch(snapshot, recorded).pools();
}

RecordedHistory with_no_split(RecordedHistory recorded, std::vector<PoolId> pools) {
    for (StartRange& range : recorded.history.start) {
        const Region& region = recorded.history.regions[index_of(range.region)];
        const bool is_one = std::ranges::count(pools, region.pool.value_or(kDefaultPoolId)) > 0 &&
                            !region.is_expandable && range.blocks.size() == 1;
        if (is_one) {
            range.blocks.front().size = range.size;
            range.blocks.front().slack = Bytes{0};
        }
    }
    recorded.no_split = std::move(pools);
    return recorded;
}

}  // namespace highwater
