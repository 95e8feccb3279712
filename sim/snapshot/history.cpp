#include "sim/snapshot/history.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/allocator/rounding.hpp"
#include "sim/snapshot/undo_events.hpp"

namespace highwater {
namespace {

// Of regions that are gone at the end: what was served tells small from large, or else whether it
// is whole pages of the large pool.
void settle_kinds(UndoneHistory& undone, const AllocatorSettings& settings) {
    for (std::size_t i = undone.final_regions(); i < undone.regions().size(); ++i) {
        const Bytes most = undone.requests()[i];
        Region& region = undone.regions()[i];
        if (most > Bytes{0}) {
            const bool small = uses_small_pool(round_size(settings, most));
            region.kind = small ? PoolKind::kSmall : PoolKind::kLarge;
        } else if (region.is_expandable) {
            const Bytes rest = (region.end - region.begin) % settings.large_segment_size;
            region.kind = rest > Bytes{0} ? PoolKind::kSmall : PoolKind::kLarge;
        }
    }
}

// The least size of a block that has `room` up to the next active one or the end of its range. In
// the large pool what would be left is a block of its own only above 1 MiB; oversize blocks are
// whole segments.
Bytes least_size(const Region& region,
                 const AllocatorSettings& settings,
                 Bytes requested,
                 Bytes room) {
    const Bytes rounded = std::min(round_size(settings, requested), room);
    const bool oversize = settings.max_split_size && rounded >= *settings.max_split_size;
    const bool keeps_tail = region.kind == PoolKind::kLarge && !settings.expandable_segments &&
                            (oversize || room - rounded <= kSmallSize);
    return keeps_tail ? room : rounded;
}

class StartRanges {
  public:
    StartRanges(UndoneHistory& undone, const AllocatorSettings& settings)
        : undone_(undone), settings_(settings) {}

    std::vector<StartRange> ranges() {
        std::vector<StartRange> result;
        for (const auto& [begin, range] : undone_.ranges()) {
            result.push_back({begin, range.end - begin, range.region, {}});
            add_blocks(result.back());
        }
        return result;
    }

  private:
    void add_blocks(StartRange& range) {
        const Address end = range.address + range.size;
        const Region& region = undone_.regions()[index_of(range.region)];
        const auto last = undone_.active().lower_bound(end);
        for (auto it = undone_.active().lower_bound(range.address); it != last; ++it) {
            const auto next = std::next(it);
            const Bytes room = (next == last ? end : next->first) - it->first;
            const auto& [address, active] = *it;
            const Bytes size = size_of(region, address, active, room);
            range.blocks.push_back({address,
                                    size,
                                    active.requested,
                                    active.is_pending,
                                    slack_of(region, active, room - size)});
        }
    }

    // A block keeps up to 1 MiB that is left of the one it was cut from.
    Bytes slack_of(const Region& region, const UndoneHistory::Active& active, Bytes free) const {
        const bool is_known = active.size.has_value() || active.revealed_end.has_value();
        return is_known || region.kind == PoolKind::kSmall || settings_.expandable_segments
                   ? Bytes{0}
                   : std::min(free, kSmallSize);
    }

    Bytes size_of(const Region& region,
                  Address address,
                  const UndoneHistory::Active& active,
                  Bytes room) const {
        if (active.size) {
            return std::min(*active.size, room);
        }
        if (active.revealed_end) {
            return std::min(*active.revealed_end - address, room);
        }
        return least_size(region, settings_, active.requested, room);
    }

    UndoneHistory& undone_;
    const AllocatorSettings& settings_;
};

// What the file says of the start, where it does.
void take_base(History& history, const std::vector<SnapshotSegment>& base) {
    std::map<Address, const SnapshotBlock*> blocks;
    std::map<Address, const SnapshotSegment*> segments;
    for (const SnapshotSegment& segment : base) {
        segments[segment.address] = &segment;
        for (const SnapshotBlock& block : segment.blocks) {
            blocks[block.address] = &block;
        }
    }
    for (StartRange& range : history.start) {
        if (const auto known = segments.find(range.address); known != segments.end()) {
            history.regions[index_of(range.region)].kind = known->second->kind;
            history.regions[index_of(range.region)].pool = known->second->pool;
        }
        for (StartBlock& block : range.blocks) {
            const auto known = blocks.find(block.address);
            if (known != blocks.end()) {
                block.size = known->second->size;
                block.slack = Bytes{0};
            }
        }
    }
}

void note_left_out(History& history) {
    if (history.first_event > 0) {
        history.notices.push_back(
            fmt::format("events 0 to {} cannot have led to those that follow (recording was off in "
                        "between, or left kinds of event out): they are left out",
                        history.first_event - 1));
    }
}

void note_slack(History& history) {
    std::size_t count = 0;
    Bytes total;
    for (const StartRange& range : history.start) {
        for (const StartBlock& block : range.blocks) {
            count += block.slack > Bytes{0} ? 1U : 0U;
            total += block.slack;
        }
    }
    if (count > 0) {
        history.notices.push_back(fmt::format(
            "{} blocks that were allocated before the first event, and freed later, may be larger "
            "than assumed, together by up to {} B: their sizes are not in the file",
            count,
            total.count));
    }
}

// Gives the first event that can be undone, after which all can, and notes where each happened.
std::size_t undo_all(UndoneHistory& undone, const EventList& events, NumberList& regions) {
    NumberList backwards;
    for (std::size_t i = events.size(); i > 0; --i) {
        const auto region = undone.undo(events[i - 1]);
        if (!region) {
            break;
        }
        backwards.push_back(static_cast<std::uint32_t>(*region));
    }
    const std::size_t first = events.size() - backwards.size();
    for (std::size_t i = 0; i < first; ++i) {
        regions.push_back(static_cast<std::uint32_t>(kNoRegion));
    }
    for (std::size_t i = backwards.size(); i > 0; --i) {
        regions.push_back(backwards[i - 1]);
    }
    return first;
}

}  // namespace

History history_of(const Snapshot& snapshot, const AllocatorSettings& settings) {
    UndoneHistory undone(snapshot.segments);
    History history;
    history.first_event = undo_all(undone, snapshot.events, history.event_regions);
    settle_kinds(undone, settings);
    StartRanges start(undone, settings);
    history.start = start.ranges();
    history.regions = std::move(undone.regions());
    if (snapshot.base && history.first_event == 0) {
        take_base(history, *snapshot.base);
    }
    note_left_out(history);
    note_slack(history);
    return history;
}

}  // namespace highwater
