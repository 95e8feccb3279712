#include "sim/snapshot/event_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {
namespace {

std::string text_of(std::string_view what, Address address, Bytes size, StreamHandle stream) {
    return fmt::format("{} at {:#x}, {} B, stream {:#x}",
                       what,
                       address.value,
                       size.count,
                       static_cast<std::uint64_t>(stream));
}

std::string requested_text(Bytes requested) {
    return requested == kUnknownRequest ? "?" : std::to_string(requested.count);
}

std::string describe(const SegmentInfo& segment) {
    std::string blocks;
    for (const BlockInfo& block : segment.blocks) {
        blocks += fmt::format(
            " [{} {} {}]", block.size.count, requested_text(block.requested), name_of(block.state));
    }
    return fmt::format("{} segment at {:#x}, {} B, pool ({}, {}){}:{}",
                       segment.kind == PoolKind::kSmall ? "small" : "large",
                       segment.address.value,
                       segment.size.count,
                       segment.pool.first,
                       segment.pool.second,
                       segment.is_expandable ? ", expandable" : "",
                       blocks);
}

SegmentInfo info_of(const SnapshotSegment& segment, const HistoryStreams& streams) {
    SegmentInfo info{.address = segment.address,
                     .size = segment.size,
                     .stream = streams.id_of(segment.stream),
                     .kind = segment.kind,
                     .pool = segment.pool,
                     .is_expandable = segment.is_expandable,
                     .blocks = {}};
    for (const SnapshotBlock& block : segment.blocks) {
        info.blocks.push_back({block.address, block.size, block.requested, block.state});
    }
    return info;
}

}  // namespace

std::string describe(const SnapshotEvent& event) {
    return text_of(name_of(event.action), event.address, event.size, event.stream);
}

std::string describe(const TraceEvent& event, const HistoryStreams& streams) {
    return text_of(name_of(event.kind), event.address, event.size, streams.handle_of(event.stream));
}

bool is_same(const SnapshotEvent& recorded,
             const TraceEvent& simulated,
             const HistoryStreams& streams) {
    return index_of(recorded.action) == index_of(simulated.kind) &&
           recorded.address == simulated.address && recorded.size == simulated.size &&
           recorded.stream == streams.handle_of(simulated.stream);
}

std::optional<std::pair<std::string, std::string>> segment_difference(
    const Snapshot& snapshot,
    const std::vector<SegmentInfo>& simulated,
    const HistoryStreams& streams) {
    std::vector<SegmentInfo> recorded;
    for (const SnapshotSegment& segment : snapshot.segments) {
        recorded.push_back(info_of(segment, streams));
    }
    std::ranges::sort(recorded, {}, &SegmentInfo::address);
    const auto [e, g] = std::ranges::mismatch(recorded, simulated, allocator::same_as_far_as_known);
    if (e == recorded.end() && g == simulated.end()) {
        return std::nullopt;
    }
    return std::pair(e == recorded.end() ? "no segment" : describe(*e),
                     g == simulated.end() ? "no segment" : describe(*g));
}

}  // namespace highwater
