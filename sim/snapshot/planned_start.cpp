#include "sim/snapshot/planned_start.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/snapshot/start_segments.hpp"

namespace highwater {
namespace {

// What one stream holds of one pool.
using LayoutKey = std::tuple<PoolId, StreamHandle, PoolKind>;
// The sizes of segments and of the blocks in them, by address.
using Layout = std::vector<std::vector<Bytes>>;

LayoutKey layout_key_of(const Region& region) {
    return {region.pool.value_or(kDefaultPoolId), region.stream, region.kind};
}

}  // namespace

PlannedStart::PlannedStart(const Snapshot& snapshot,
                           const RecordedHistory& recorded,
                           const AllocatorSettings& settings,
                           const MergedWorkspaces& workspaces)
    : snapshot_(snapshot), recorded_(recorded), settings_(settings), workspaces_(workspaces) {
    std::uint32_t next = 0;
    for (const StartRange& range : recorded.history.start) {
        ranges_.push_back({&range, AllocationId{next}});
        next += static_cast<std::uint32_t>(range.blocks.size());
    }
    sort_as_they_came();
    compare();
}

const Region& PlannedStart::region_of(const Range& range) const {
    return recorded_.history.regions[index_of(range.range->region)];
}

// The driver's addresses descend, for the most part; those of an expandable segment ascend.
void PlannedStart::sort_as_they_came() {
    const auto middle =
        std::stable_partition(ranges_.begin(), ranges_.end(), [this](const Range& range) {
            return region_of(range).is_expandable;
        });
    std::reverse(middle, ranges_.end());
}

namespace {

std::map<LayoutKey, Layout> layouts_of(const SimulatedHistory& simulated,
                                       const HistoryStreams& streams) {
    std::map<LayoutKey, Layout> layouts;
    for (const SegmentInfo& segment : allocator::snapshot(simulated.state())) {
        std::vector<Bytes> sizes{segment.size};
        for (const BlockInfo& block : segment.blocks) {
            sizes.push_back(block.size);
        }
        layouts[{segment.pool, streams.handle_of(segment.stream), segment.kind}].push_back(
            std::move(sizes));
    }
    return layouts;
}

}  // namespace

void PlannedStart::compare() {
    std::vector<std::map<LayoutKey, Layout>> layouts;
    for (const AllocatorSettings* settings : {&recorded_.settings, &settings_}) {
        PredictedMemory memory(snapshot_, recorded_.history, std::nullopt);
        SimulatedHistory simulated(*settings, kHistoryMemory, memory, recorded_.streams.handles());
        simulated.forbid_splits(recorded_.no_split);
        for (const Range& range : ranges_) {
            std::uint32_t next = static_cast<std::uint32_t>(range.first);
            const Region& region = region_of(range);
            for (const StartBlock& block : range.range->blocks) {
                simulated.alloc(AllocationId{next++},
                                block.requested,
                                recorded_.streams.id_of(region.stream),
                                region.pool.value_or(kDefaultPoolId));
            }
        }
        layouts.push_back(layouts_of(simulated, recorded_.streams));
    }
    const bool same_kind = recorded_.settings.expandable_segments == settings_.expandable_segments;
    for (Range& range : ranges_) {
        const LayoutKey share = layout_key_of(region_of(range));
        range.is_kept =
            same_kind && layouts[0][share] == layouts[1][share] && !holds_left_out(range);
    }
}

bool PlannedStart::holds_left_out(const Range& range) const {
    for (std::uint32_t i = 0; i < range.range->blocks.size(); ++i) {
        if (workspaces_.has(AllocationId{static_cast<std::uint32_t>(range.first) + i})) {
            return true;
        }
    }
    return false;
}

Bytes PlannedStart::dropped() const {
    Bytes free;
    for (const Range& range : ranges_) {
        if (!range.is_kept) {
            free += range.range->size;
            for (const StartBlock& block : range.range->blocks) {
                free -= block.size;
            }
        }
    }
    return free;
}

std::optional<OutOfMemory> PlannedStart::lay_out(SimulatedHistory& simulated,
                                                 PredictedMemory& memory,
                                                 const std::vector<StreamId>& streams,
                                                 const std::vector<PoolId>& pools) const {
    StartSegments kept = start_segments(snapshot_, recorded_.history, recorded_.streams, pools);
    std::map<Address, bool> is_kept;
    for (const Range& range : ranges_) {
        is_kept[range.range->address] = range.is_kept;
        if (range.is_kept) {
            memory.hold(*range.range, region_of(range));
        }
    }
    std::erase_if(kept.segments,
                  [&](const SegmentInfo& segment) { return !is_kept[segment.address]; });
    for (SegmentInfo& segment : kept.segments) {
        segment.stream = streams[index_of(segment.stream)];
    }
    simulated.adopt(recorded_.history, kept);
    for (const Range& range : ranges_) {
        std::uint32_t next = static_cast<std::uint32_t>(range.first);
        const StreamId stream = streams[index_of(recorded_.streams.id_of(region_of(range).stream))];
        const PoolId pool = pools[index_of(range.range->region)];
        for (std::size_t i = 0; i < range.range->blocks.size() && !range.is_kept; ++i) {
            const AllocationId id{next++};
            if (workspaces_.has(id)) {
                continue;
            }
            const auto result = simulated.alloc(id, range.range->blocks[i].requested, stream, pool);
            if (const auto* failed = std::get_if<OutOfMemory>(&result)) {
                return *failed;
            }
        }
    }
    simulated.begin(recorded_.history);
    return std::nullopt;
}

}  // namespace highwater
