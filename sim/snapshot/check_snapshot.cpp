#include "sim/snapshot/check_snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include "sim/allocator/block.hpp"
#include "sim/core/error.hpp"

namespace highwater {
namespace {

[[noreturn]] void refuse(const std::string& file,
                         const std::string& place,
                         const std::string& problem) {
    throw InputError({file},
                     fmt::format("{}: {}", place, problem),
                     "take the snapshot again: this one was changed after PyTorch wrote it");
}

void check_bounds(const std::string& file, const std::string& place, Address address, Bytes size) {
    if (size > kMostBytes || address.value > kMostBytes.count) {
        refuse(file, place, "its address or size is above 2^62");
    }
}

void check_stack(const Snapshot& snapshot, const std::string& place, StackId stack) {
    if (stack != kNoStack && index_of(stack) >= snapshot.stacks.size()) {
        refuse(snapshot.name, place, "its call stack is not in the file");
    }
}

void check_block(const std::string& file, const std::string& place, const SnapshotBlock& block) {
    check_bounds(file, place, block.address, block.size);
    if (block.size == Bytes{}) {
        refuse(file, place, "it has no size");
    }
    const bool is_known = block.requested != kUnknownRequest;
    if (block.state != BlockState::kInactive && is_known && block.requested > block.size) {
        refuse(file,
               place,
               fmt::format(
                   "{} bytes were requested of its {}", block.requested.count, block.size.count));
    }
}

void check_tiling(const std::string& file,
                  const std::string& place,
                  const SnapshotSegment& segment) {
    Address next = segment.address;
    for (std::size_t i = 0; i < segment.blocks.size(); ++i) {
        const SnapshotBlock& block = segment.blocks[i];
        const std::string here = fmt::format("{}, block {}", place, i);
        check_block(file, here, block);
        if (block.address != next) {
            refuse(file,
                   here,
                   fmt::format("it begins at {:#x}, and what is before it ends at {:#x}",
                               block.address.value,
                               next.value));
        }
        next = next + block.size;
        check_bounds(file, here, next, {});
    }
    const Address end = segment.address + segment.size;
    if (next != end) {
        refuse(file,
               place,
               fmt::format("its blocks end at {:#x}, and it ends at {:#x}", next.value, end.value));
    }
}

struct Sums {
    Bytes allocated;
    Bytes active;
    /// None if one of them is not known.
    std::optional<Bytes> requested = Bytes{};
};

Sums sums_of(const SnapshotSegment& segment) {
    Sums sums;
    for (const SnapshotBlock& block : segment.blocks) {
        if (block.state == BlockState::kActiveAllocated) {
            sums.allocated += block.size;
        }
        if (block.state != BlockState::kInactive) {
            sums.active += block.size;
            sums.requested = sums.requested && block.requested != kUnknownRequest
                                 ? std::optional(*sums.requested + block.requested)
                                 : std::nullopt;
        }
    }
    return sums;
}

void check_totals(const std::string& file,
                  const std::string& place,
                  const SnapshotSegment& segment,
                  const SegmentTotals& totals) {
    const auto hold = [&](const char* what, std::optional<Bytes> said, std::optional<Bytes> sum) {
        if (said && sum && *said != *sum) {
            refuse(file,
                   place,
                   fmt::format("its {} is given as {}, and its blocks come to {}",
                               what,
                               said->count,
                               sum->count));
        }
    };
    const Sums sums = sums_of(segment);
    hold("allocated size", totals.allocated, sums.allocated);
    hold("active size", totals.active, sums.active);
    hold("requested size", totals.requested, sums.requested);
}

void check_overlaps(const std::string& file, const std::vector<SnapshotSegment>& segments) {
    std::vector<std::size_t> order(segments.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return segments[i].address; });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const SnapshotSegment& before = segments[order[i - 1]];
        const SnapshotSegment& after = segments[order[i]];
        if (after.address < before.address + before.size) {
            refuse(file,
                   fmt::format("segment {}", order[i]),
                   fmt::format("it begins inside segment {}", order[i - 1]));
        }
    }
}

void check_segments(const Snapshot& snapshot, const std::vector<SnapshotSegment>& segments) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string place = fmt::format("segment {}", i);
        check_segment(snapshot.name, place, segments[i]);
        check_stack(snapshot, place, segments[i].stack);
        for (const SnapshotBlock& block : segments[i].blocks) {
            check_stack(snapshot, place, block.stack);
        }
    }
    check_overlaps(snapshot.name, segments);
}

void check_events(const Snapshot& snapshot) {
    for (std::size_t i = 0; i < snapshot.events.size(); ++i) {
        const SnapshotEvent& event = snapshot.events[i];
        const bool is_bounded = event.size <= kMostBytes && event.address.value <= kMostBytes.count;
        const bool has_stack =
            event.stack == kNoStack || index_of(event.stack) < snapshot.stacks.size();
        // A message only where one is needed: there are millions of events.
        if (!is_bounded || !has_stack) [[unlikely]] {
            const std::string place = fmt::format("event {}", i);
            check_bounds(snapshot.name, place, event.address, event.size);
            check_stack(snapshot, place, event.stack);
        }
    }
}

// Host threads note the time before they take the allocator's lock, so that a real history may have
// small steps back.
std::optional<std::string> steps_back(const EventList& events) {
    std::size_t count = 0;
    std::int64_t largest = 0;
    std::optional<std::int64_t> before;
    for (const SnapshotEvent& event : events) {
        if (before && event.time_us < *before) {
            ++count;
            largest = std::max(largest, *before - event.time_us);
        }
        before = event.time_us;
    }
    if (count == 0) {
        return std::nullopt;
    }
    return fmt::format(
        "{} of {} events are earlier than the one before them, by {} us at most: their order is "
        "taken as it stands",
        count,
        events.size(),
        largest);
}

}  // namespace

void check_segment(const std::string& file,
                   const std::string& place,
                   const SnapshotSegment& segment,
                   const SegmentTotals& totals) {
    check_bounds(file, place, segment.address, segment.size);
    if (segment.size == Bytes{}) {
        refuse(file, place, "it has no size");
    }
    check_tiling(file, place, segment);
    check_totals(file, place, segment, totals);
}

std::vector<std::string> check_snapshot(const Snapshot& snapshot) {
    check_segments(snapshot, snapshot.segments);
    if (snapshot.base) {
        check_segments(snapshot, *snapshot.base);
    }
    check_events(snapshot);
    std::vector<std::string> notices;
    if (const std::optional<std::string> notice = steps_back(snapshot.events)) {
        notices.push_back(*notice);
    }
    return notices;
}

}  // namespace highwater
