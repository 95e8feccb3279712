#include "sim/report/diff/memory_parts.hpp"

#include <fmt/format.h>

#include "sim/snapshot/why/owner.hpp"

namespace highwater {
namespace {

std::string pool_name(PoolId id) {
    return id == kDefaultPoolId ? "default" : fmt::format("({}, {})", id.first, id.second);
}

std::string stream_name(StreamHandle handle) {
    const auto value = static_cast<std::uint64_t>(handle);
    return value == 0 ? "default" : fmt::format("{:#x}", value);
}

std::string owner_name(const Snapshot& snapshot, StackId stack) {
    const StackFrame* frame = owner_frame(snapshot.stacks, stack);
    return frame == nullptr ? std::string(kUnknownOwner) : frame_text(*frame);
}

void add(PartSizes& to, Bytes allocated, Bytes reserved, std::uint64_t segments) {
    to.allocated = to.allocated.value_or(Bytes{}) + allocated;
    to.reserved = to.reserved.value_or(Bytes{}) + reserved;
    to.segments = to.segments.value_or(0) + segments;
}

Bytes allocated_in(const SnapshotSegment& segment) {
    Bytes sum;
    for (const SnapshotBlock& block : segment.blocks) {
        sum += block.state == BlockState::kActiveAllocated ? block.size : Bytes{};
    }
    return sum;
}

void add_owners(MemoryParts& parts, const Snapshot& snapshot, const SnapshotSegment& segment) {
    add(parts.owners[owner_name(snapshot, segment.stack)], {}, segment.size, 1);
    for (const SnapshotBlock& block : segment.blocks) {
        if (block.state == BlockState::kActiveAllocated) {
            add(parts.owners[owner_name(snapshot, block.stack)], block.size, {}, 0);
        }
    }
}

}  // namespace

MemoryParts parts_of(const Snapshot& snapshot) {
    MemoryParts parts;
    add(parts.total, {}, {}, 0);
    const bool has_stacks = snapshot.stacks.size() > 0;
    for (const SnapshotSegment& segment : snapshot.segments) {
        const Bytes allocated = allocated_in(segment);
        for (PartSizes* part : {&parts.total,
                                &parts.pools[pool_name(segment.pool)],
                                &parts.streams[stream_name(segment.stream)]}) {
            add(*part, allocated, segment.size, 1);
        }
        if (has_stacks) {
            add_owners(parts, snapshot, segment);
        }
    }
    if (!has_stacks) {
        parts.notices.push_back(
            fmt::format("{} has no call stacks: owners are not compared", snapshot.name));
    }
    return parts;
}

}  // namespace highwater
