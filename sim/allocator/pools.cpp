#include "sim/allocator/pools.hpp"

#include <algorithm>

namespace highwater::allocator {
namespace {

BlockPool new_block_pool(PoolKind kind, PoolId owner, std::size_t usage) {
    BlockPool pool;
    pool.kind = kind;
    pool.owner = owner;
    pool.usage = usage;
    return pool;
}

PoolUsage new_usage(PoolId id) {
    PoolUsage usage;
    usage.id = id;
    return usage;
}

}  // namespace

State::State(AllocatorSettings initial, Bytes total, Ports to)
    : settings(std::move(initial)),
      total_memory(total),
      ports(to),
      pools{new_block_pool(PoolKind::kSmall, kDefaultPoolId, 0),
            new_block_pool(PoolKind::kLarge, kDefaultPoolId, 0)},
      usages{new_usage(kDefaultPoolId)},
      use_sets(1) {}

void tell_trace(State& s, TraceEvent::Kind kind, PoolStreamId at, Address address, Bytes size) {
    const PoolStream& where = pool_stream(s, at);
    s.trace->take({kind, where.stream, address, size, block_pool(s, where.pool).owner});
}

PoolStreamId add_pool_stream(State& s, BlockPoolId pool, StreamId stream) {
    const PoolStreamId id{static_cast<std::uint32_t>(s.pool_streams.size())};
    std::vector<PoolStreamId>& of_stream = block_pool(s, pool).of_stream;
    const auto index = index_of(stream);
    check(index < s.streams.size(), "an allocation names a stream the allocator knows");
    of_stream.resize(std::max(of_stream.size(), index + 1), kNoPoolStream);
    of_stream[index] = id;
    PoolStream added;
    added.pool = pool;
    added.stream = stream;
    added.kind = block_pool(s, pool).kind;
    added.no_split = block_pool(s, pool).no_split;
    s.pool_streams.push_back(std::move(added));
    return id;
}

std::vector<PoolStreamId> streams_in_order(const State& s, BlockPoolId pool) {
    std::vector<PoolStreamId> result;
    for (const PoolStreamId id : block_pool(s, pool).of_stream) {
        if (id != kNoPoolStream) {
            result.push_back(id);
        }
    }
    const auto handle = [&s](PoolStreamId id) {
        return s.streams[index_of(pool_stream(s, id).stream)].handle;
    };
    // Mostly they came in that order.
    if (!std::ranges::is_sorted(result, {}, handle)) {
        std::ranges::sort(result, {}, handle);
    }
    return result;
}

std::vector<BlockId> free_blocks_in_order(const State& s, BlockPoolId pool) {
    std::vector<BlockId> result;
    for (const PoolStreamId id : streams_in_order(s, pool)) {
        const FreeBlocks& free = pool_stream(s, id).free;
        for (BlockId b = free.first(s.blocks); b != kNoBlock; b = free.next(s.blocks, b)) {
            result.push_back(b);
        }
    }
    return result;
}

namespace {

std::vector<BlockId>::iterator unmapped_place(State& s, BlockId id) {
    std::vector<BlockId>& unmapped = home(s, s.blocks[id]).unmapped;
    const auto address = [&s](BlockId b) { return s.blocks[b].address; };
    return std::ranges::lower_bound(unmapped, s.blocks[id].address, {}, address);
}

}  // namespace

void insert_unmapped(State& s, BlockId id) {
    home(s, s.blocks[id]).unmapped.insert(unmapped_place(s, id), id);
}

void erase_unmapped(State& s, BlockId id) {
    const auto place = unmapped_place(s, id);
    check(place != home(s, s.blocks[id]).unmapped.end() && *place == id,
          "an unmapped block is among its stream's unmapped blocks");
    home(s, s.blocks[id]).unmapped.erase(place);
}

PrivatePool* find_private_pool(State& s, PoolId id) {
    const auto found = s.private_pools.find(id);
    return found == s.private_pools.end() ? nullptr : &found->second;
}

const PrivatePool* find_private_pool(const State& s, PoolId id) {
    const auto found = s.private_pools.find(id);
    return found == s.private_pools.end() ? nullptr : &found->second;
}

PrivatePool& add_private_pool(State& s, PoolId id) {
    const BlockPoolId small{static_cast<std::uint32_t>(s.pools.size())};
    const BlockPoolId large{static_cast<std::uint32_t>(s.pools.size() + 1)};
    s.pools.push_back(new_block_pool(PoolKind::kSmall, id, s.usages.size()));
    s.pools.push_back(new_block_pool(PoolKind::kLarge, id, s.usages.size()));
    s.usages.push_back(new_usage(id));
    return s.private_pools[id] = {.small = small, .large = large, .use_count = 1};
}

void add_reserved(State& s, PoolStreamId to, Bytes bytes) {
    const PoolStream& at = pool_stream(s, to);
    const BlockPool& pool = block_pool(s, at.pool);
    PoolUsage& usage = s.usages[pool.usage];
    usage.by_stream.resize(std::max(usage.by_stream.size(), index_of(at.stream) + 1));
    for (Usage* part : {&usage.total, &usage.by_stream[index_of(at.stream)]}) {
        part->reserved += bytes;
        part->high_water = std::max(part->high_water, part->reserved);
    }
    s.total_allocated += bytes;
    s.counters.increase(Counter::kReservedBytes, pool.kind, bytes.count);
    ++s.counters.num_device_alloc;
}

void subtract_reserved(State& s, PoolStreamId from, Bytes bytes) {
    const PoolStream& at = pool_stream(s, from);
    const BlockPool& pool = block_pool(s, at.pool);
    PoolUsage& usage = s.usages[pool.usage];
    usage.total.reserved -= bytes;
    usage.by_stream[index_of(at.stream)].reserved -= bytes;
    s.total_allocated -= bytes;
    s.counters.decrease(Counter::kReservedBytes, pool.kind, bytes.count);
}

}  // namespace highwater::allocator
