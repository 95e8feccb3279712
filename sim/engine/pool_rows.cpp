#include "sim/engine/pool_rows.hpp"

#include <map>

namespace highwater {
namespace {

std::map<PoolId, Bytes> allocated_by_pool(const std::vector<SegmentInfo>& segments) {
    std::map<PoolId, Bytes> allocated;
    for (const SegmentInfo& segment : segments) {
        for (const BlockInfo& block : segment.blocks) {
            if (block.state == BlockState::kActiveAllocated) {
                allocated[segment.pool] += block.size;
            }
        }
    }
    return allocated;
}

std::vector<PoolStreamRow> stream_rows(const allocator::PoolUsage& usage) {
    std::vector<PoolStreamRow> rows;
    for (std::size_t i = 0; i < usage.by_stream.size(); ++i) {
        const allocator::Usage& used = usage.by_stream[i];
        if (used.high_water > Bytes{0}) {
            const StreamId stream{static_cast<std::uint32_t>(i)};
            rows.push_back({stream, used.reserved, used.high_water});
        }
    }
    return rows;
}

std::string name_of(const std::map<PoolId, std::string>& names, PoolId id) {
    const auto found = names.find(id);
    return found == names.end() ? "default" : found->second;
}

}  // namespace

// The driver's pool: which streams have what of it is not told apart.
PoolRow row_of(const AsyncAllocator& allocator) {
    return {.id = kDefaultPoolId,
            .name = "default",
            .reserved = allocator.pool().reserved().current,
            .high_water = allocator.pool().reserved().high,
            .allocated = allocator.pool().used().current,
            .streams = {},
            .last_growth = {}};
}

std::vector<PoolRow> pool_rows(const Executor& executor) {
    if (const AsyncAllocator* allocator = executor.async_allocator()) {
        return {row_of(*allocator)};
    }
    return pool_rows(executor.allocator().state(), executor.pool_names());
}

std::vector<PoolRow> pool_rows(const allocator::State& state,
                               const std::map<PoolId, std::string>& names) {
    std::map<PoolId, Bytes> allocated = allocated_by_pool(allocator::snapshot(state));
    std::vector<PoolRow> rows;
    for (const allocator::PoolUsage& usage : state.usages) {
        rows.push_back({.id = usage.id,
                        .name = name_of(names, usage.id),
                        .reserved = usage.total.reserved,
                        .high_water = usage.total.high_water,
                        .allocated = allocated[usage.id],
                        .streams = stream_rows(usage),
                        .last_growth = usage.last_growth});
    }
    return rows;
}

}  // namespace highwater
