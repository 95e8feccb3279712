#include "sim/snapshot/snapshot_of.hpp"

#include <chrono>
#include <cstddef>

#include "sim/allocator/block.hpp"

namespace highwater {
namespace {

SnapshotSegment segment_of(const SegmentInfo& info, std::span<const StreamHandle> streams) {
    SnapshotSegment segment;
    segment.address = info.address;
    segment.size = info.size;
    segment.stream = streams[index_of(info.stream)];
    segment.kind = info.kind;
    segment.pool = info.pool;
    segment.is_expandable = info.is_expandable;
    for (const BlockInfo& block : info.blocks) {
        segment.blocks.push_back(
            {block.address, block.size, block.requested, block.state, kNoStack});
    }
    return segment;
}

SnapshotSettings settings_of(const AllocatorSettings& from) {
    SnapshotSettings settings;
    settings.conf = from.conf;
    settings.max_split_size =
        from.max_split_size ? static_cast<std::int64_t>(from.max_split_size->count) : -1;
    settings.garbage_collection_threshold = from.garbage_collection_threshold;
    settings.expandable_segments = from.expandable_segments;
    settings.graph_capture_record_stream_reuse = from.graph_capture_record_stream_reuse;
    settings.release_lock_on_cudamalloc = from.release_lock_on_cudamalloc;
    settings.pinned_num_register_threads =
        static_cast<std::int64_t>(from.pinned_num_register_threads);
    settings.pinned_use_cuda_host_register = from.pinned_use_cuda_host_register;
    std::vector<std::int64_t>& divisions = settings.roundup_power2_divisions.emplace();
    for (std::size_t slot = 0; slot < RoundupDivisions::kSlots; ++slot) {
        divisions.push_back(static_cast<std::int64_t>(from.roundup_power2_divisions[slot]));
    }
    return settings;
}

}  // namespace

SnapshotEvent snapshot_event(const TraceEvent& from, std::span<const StreamHandle> streams) {
    SnapshotEvent event;
    event.action = action_of(from.kind);
    event.stream = streams[index_of(from.stream)];
    event.address = from.address;
    event.size = from.size;
    event.pool = from.pool;
    return event;
}

Snapshot snapshot_of(const SimulatedMemory& memory, const std::string& name) {
    Snapshot snapshot;
    snapshot.name = name;
    for (const SegmentInfo& info : memory.segments) {
        snapshot.segments.push_back(segment_of(info, memory.streams));
    }
    for (std::size_t i = 0; i < memory.events.size(); ++i) {
        SnapshotEvent event = snapshot_event(memory.events[i], memory.streams);
        if (i < memory.times.size()) {
            event.time_us = std::chrono::duration_cast<std::chrono::microseconds>(
                                memory.times[i].time_since_epoch())
                                .count();
        }
        snapshot.events.push_back(event);
    }
    snapshot.settings = settings_of(memory.settings);
    return snapshot;
}

}  // namespace highwater
