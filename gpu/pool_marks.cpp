#include "gpu/pool_marks.hpp"

#include <algorithm>

namespace highwater::gpu {

void PoolMarks::Mark::grow(Bytes size) {
    now += size;
    high = std::max(high, now);
}

void PoolMarks::Mark::shrink(Bytes size) {
    now -= std::min(now, size);
}

PoolMarks::Pool& PoolMarks::pool(PoolId id) {
    const auto found = std::ranges::find(pools_, id, &Pool::id);
    return found != pools_.end() ? *found : pools_.emplace_back(Pool{id, {}, {}});
}

void PoolMarks::take(const TraceEvent& event) {
    using Kind = TraceEvent::Kind;
    if (event.kind == Kind::kSegmentAlloc || event.kind == Kind::kSegmentMap) {
        Pool& grown = pool(event.pool);
        grown.total.grow(event.size);
        grown.streams[event.stream].grow(event.size);
    } else if (event.kind == Kind::kSegmentFree || event.kind == Kind::kSegmentUnmap) {
        Pool& shrunk = pool(event.pool);
        shrunk.total.shrink(event.size);
        shrunk.streams[event.stream].shrink(event.size);
    }
}

namespace {

Bytes allocated_in(const SegmentInfo& segment) {
    Bytes allocated;
    for (const BlockInfo& block : segment.blocks) {
        allocated += block.state == BlockState::kActiveAllocated ? block.size : Bytes{};
    }
    return allocated;
}

}  // namespace

std::vector<PoolRow> PoolMarks::rows(const std::vector<SegmentInfo>& segments) const {
    std::vector<PoolRow> rows;
    for (const Pool& pool : pools_) {
        PoolRow row{.id = pool.id,
                    .name = {},
                    .reserved = pool.total.now,
                    .high_water = pool.total.high,
                    .allocated = {},
                    .streams = {}};
        for (const auto& [stream, mark] : pool.streams) {
            row.streams.push_back({stream, mark.now, mark.high});
        }
        for (const SegmentInfo& segment : segments) {
            row.allocated += segment.pool == pool.id ? allocated_in(segment) : Bytes{};
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace highwater::gpu
