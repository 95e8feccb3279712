#include "sim/snapshot/undo_events.hpp"

#include <algorithm>
#include <tuple>

#include "sim/allocator/constants.hpp"

namespace highwater {

using Action = SnapshotEvent::Action;

UndoneHistory::UndoneHistory(const std::vector<SnapshotSegment>& segments) {
    std::map<std::tuple<StreamHandle, PoolKind, PoolId>, RegionId> expandable;
    for (const SnapshotSegment& segment : segments) {
        const Region region{.begin = segment.address,
                            .end = segment.address + segment.size,
                            .stream = segment.stream,
                            .kind = segment.kind,
                            .is_expandable = segment.is_expandable,
                            .pool = segment.pool};
        if (!segment.is_expandable) {
            add_final(segment, add_region(region));
            continue;
        }
        const auto [known, is_new] =
            expandable.try_emplace({segment.stream, segment.kind, segment.pool});
        if (is_new) {
            known->second = add_region(region);
        }
        add_final(segment, known->second);
    }
    final_regions_ = regions_.size();
}

void UndoneHistory::add_final(const SnapshotSegment& segment, RegionId region) {
    join(segment.address, segment.address + segment.size, region);
    for (const SnapshotBlock& block : segment.blocks) {
        if (block.state != BlockState::kInactive) {
            active_[block.address] = {.requested = block.requested,
                                      .is_pending = block.state == BlockState::kActivePendingFree,
                                      .size = block.size,
                                      .revealed_end = std::nullopt};
        }
    }
}

RegionId UndoneHistory::add_region(const Region& region) {
    regions_.push_back(region);
    requests_.emplace_back();
    mapped_.emplace_back();
    return RegionId{static_cast<std::uint32_t>(regions_.size() - 1)};
}

void UndoneHistory::note_request(RegionId region, Bytes requested) {
    Bytes& most = requests_[index_of(region)];
    most = std::max(most, requested);
}

// Adds a range, as one with those of the region that it touches.
void UndoneHistory::join(Address begin, Address end, RegionId region) {
    Region& whole = regions_[index_of(region)];
    mapped_[index_of(region)] += end - begin;
    whole.begin = std::min(whole.begin, begin);
    whole.end = std::max(whole.end, end);
    if (const auto next = ranges_.find(end);
        whole.is_expandable && next != ranges_.end() && next->second.region == region) {
        end = next->second.end;
        ranges_.erase(next);
    }
    const auto after = ranges_.lower_bound(begin);
    if (whole.is_expandable && after != ranges_.begin()) {
        const auto before = std::prev(after);
        if (before->second.end == begin && before->second.region == region) {
            before->second.end = end;
            return;
        }
    }
    ranges_[begin] = {end, region};
}

UndoneHistory::Ranges::iterator UndoneHistory::range_around(Address address) {
    auto found = ranges_.upper_bound(address);
    if (found == ranges_.begin()) {
        return ranges_.end();
    }
    --found;
    return address < found->second.end ? found : ranges_.end();
}

bool UndoneHistory::is_active_within(Address begin, Address end) const {
    const auto first = active_.lower_bound(begin);
    return first != active_.end() && first->first < end;
}

bool UndoneHistory::overlaps_range(Address begin, Address end) const {
    const auto behind = ranges_.lower_bound(end);
    return behind != ranges_.begin() && std::prev(behind)->second.end > begin;
}

// Reservations are as far apart as the card's memory is large; holes within one are smaller. One
// with nothing mapped is dropped, so that what was unmapped then was in another.
RegionId UndoneHistory::expandable_near(const SnapshotEvent& event) {
    constexpr Bytes kNear{std::uint64_t{8} << 30U};
    RegionId nearest = kNoRegion;
    Bytes least = kNear;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
        const Region& region = regions_[i];
        if (!region.is_expandable || region.stream != event.stream || mapped_[i] == Bytes{0}) {
            continue;
        }
        const Address end = event.address + event.size;
        const Bytes distance = end < region.begin           ? region.begin - end
                               : region.end < event.address ? event.address - region.end
                                                            : Bytes{0};
        if (distance < least) {
            nearest = RegionId{static_cast<std::uint32_t>(i)};
            least = distance;
        }
    }
    return nearest;
}

std::optional<RegionId> UndoneHistory::undo(const SnapshotEvent& event) {
    switch (event.action) {
        case Action::kAlloc:
            return undo_alloc(event);
        case Action::kFreeRequested:
            return undo_free_requested(event);
        case Action::kFreeCompleted:
            return undo_free_completed(event);
        case Action::kSegmentAlloc:
            return undo_segment_alloc(event);
        case Action::kSegmentFree:
            return undo_segment_free(event);
        case Action::kSegmentMap:
            return undo_map(event);
        case Action::kSegmentUnmap:
            return undo_unmap(event);
        default:
            return kNoRegion;
    }
}

std::optional<RegionId> UndoneHistory::undo_alloc(const SnapshotEvent& event) {
    const auto range = range_around(event.address);
    const auto block = active_.find(event.address);
    if (range == ranges_.end() || block == active_.end() || block->second.is_pending) {
        return std::nullopt;
    }
    // It took the front of a free block, which began where the block before it ends.
    if (block != active_.begin()) {
        const auto before = std::prev(block);
        if (before->first >= range->first && !before->second.size) {
            before->second.revealed_end = event.address;
        }
    }
    active_.erase(block);
    note_request(range->second.region, event.size);
    return range->second.region;
}

std::optional<RegionId> UndoneHistory::undo_free_requested(const SnapshotEvent& event) {
    const auto range = range_around(event.address);
    const auto block = active_.find(event.address);
    if (range == ranges_.end() || block == active_.end() || !block->second.is_pending) {
        return std::nullopt;
    }
    block->second.is_pending = false;
    return range->second.region;
}

std::optional<RegionId> UndoneHistory::undo_free_completed(const SnapshotEvent& event) {
    const auto range = range_around(event.address);
    if (range == ranges_.end() || active_.contains(event.address)) {
        return std::nullopt;
    }
    active_[event.address] = {.requested = event.size,
                              .is_pending = true,
                              .size = std::nullopt,
                              .revealed_end = std::nullopt};
    note_request(range->second.region, event.size);
    return range->second.region;
}

std::optional<RegionId> UndoneHistory::undo_segment_alloc(const SnapshotEvent& event) {
    const auto range = ranges_.find(event.address);
    const Address end = event.address + event.size;
    if (range == ranges_.end() || range->second.end != end ||
        regions_[index_of(range->second.region)].is_expandable ||
        is_active_within(event.address, end)) {
        return std::nullopt;
    }
    const RegionId region = range->second.region;
    ranges_.erase(range);
    return region;
}

std::optional<RegionId> UndoneHistory::undo_segment_free(const SnapshotEvent& event) {
    const Address end = event.address + event.size;
    if (overlaps_range(event.address, end)) {
        return std::nullopt;
    }
    const RegionId region =
        add_region({.begin = event.address,
                    .end = end,
                    .stream = event.stream,
                    .kind = event.size == kSmallBuffer ? PoolKind::kSmall : PoolKind::kLarge,
                    .is_expandable = false,
                    .pool = event.pool});
    join(event.address, end, region);
    return region;
}

std::optional<RegionId> UndoneHistory::undo_map(const SnapshotEvent& event) {
    const auto range = range_around(event.address);
    const Address end = event.address + event.size;
    if (range == ranges_.end() || range->second.end < end ||
        !regions_[index_of(range->second.region)].is_expandable ||
        is_active_within(event.address, end)) {
        return std::nullopt;
    }
    const Range whole = range->second;
    if (end < whole.end) {
        ranges_[end] = whole;
    }
    if (range->first < event.address) {
        range->second.end = event.address;
    } else {
        ranges_.erase(range);
    }
    mapped_[index_of(whole.region)] -= event.size;
    return whole.region;
}

std::optional<RegionId> UndoneHistory::undo_unmap(const SnapshotEvent& event) {
    const Address end = event.address + event.size;
    if (overlaps_range(event.address, end)) {
        return std::nullopt;
    }
    RegionId region = expandable_near(event);
    if (region == kNoRegion) {
        const bool small = event.size == kSmallBuffer;
        region = add_region({.begin = event.address,
                             .end = end,
                             .stream = event.stream,
                             .kind = small ? PoolKind::kSmall : PoolKind::kLarge,
                             .is_expandable = true,
                             .pool = event.pool});
    }
    join(event.address, end, region);
    return region;
}

}  // namespace highwater
