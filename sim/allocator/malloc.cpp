#include "sim/allocator/malloc.hpp"

#include "sim/allocator/cached_blocks.hpp"
#include "sim/allocator/events.hpp"
#include "sim/allocator/garbage.hpp"
#include "sim/allocator/hand_out.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/release.hpp"
#include "sim/allocator/rounding.hpp"
#include "sim/allocator/routing.hpp"
#include "sim/allocator/segments.hpp"
#include "sim/allocator/stranded.hpp"

namespace highwater::allocator {
namespace {

// 4.1
void settle_frees(State& s, StreamId stream) {
    if (s.routings.empty()) [[likely]] {
        process_events(s);
    } else if (s.settings.graph_capture_record_stream_reuse) {
        reuse_parked_blocks(s, stream);
    }
}

BlockPoolId choose_pool(const State& s, Bytes size, StreamId stream, ThreadId thread) {
    const bool small = uses_small_pool(size);
    if (!s.routings.empty()) [[unlikely]] {
        if (const PrivatePool* pool = routed_pool(s, stream, thread)) {
            return small ? pool->small : pool->large;
        }
    }
    return small ? kDefaultSmallPool : kDefaultLargePool;
}

// 4.3c
BlockId borrow_from_private_pool(State& s, const Request& request) {
    if (block_pool(s, request.pool).owner != kDefaultPoolId) {
        return kNoBlock;
    }
    for (const auto& [id, pool] : s.private_pools) {
        if (!pool.use_on_oom) {
            continue;
        }
        Request there = request;
        there.pool = uses_small_pool(request.size) ? pool.small : pool.large;
        if (const BlockId found = take_cached_block(s, there); found != kNoBlock) {
            return found;
        }
    }
    return kNoBlock;
}

// 4.3d
BlockId release_oversize_and_grow(State& s, const Request& request) {
    if (!s.settings.max_split_size || !release_oversize_blocks(s, request)) {
        return kNoBlock;
    }
    return new_segment(s, request);
}

// 4.3e. A request in a private pool was routed there, whether or not we saw the routing.
BlockId release_all_and_retry(State& s, const Request& request) {
    if (!s.routings.empty() || block_pool(s, request.pool).owner != kDefaultPoolId) {
        return kNoBlock;
    }
    release_cached_blocks(s);
    ++s.counters.num_alloc_retries;
    return new_segment(s, request);
}

// What was stranded when a request found no block, in case that its pool grows for it.
class GrowthNote {
  public:
    GrowthNote(const State& s, const Request& request)
        : usage_(block_pool(s, request.pool).usage),
          high_water_(s.usages[usage_].total.high_water),
          growth_{request.requested, request.stream, stranded(s, request)} {}

    void keep_if_higher(State& s) const {
        PoolUsage& usage = s.usages[usage_];
        if (usage.total.high_water > high_water_) {
            usage.last_growth = growth_;
        }
    }

  private:
    std::size_t usage_;
    Bytes high_water_;
    Growth growth_;
};

// 4.3: the ladder, each step only if the ones before gave nothing.
[[gnu::cold, gnu::noinline]] BlockId grow(State& s, const Request& request) {
    if (collects_garbage(s)) {
        collect_garbage(s);
    }
    const GrowthNote note(s, request);
    using Step = BlockId (*)(State&, const Request&);
    for (const Step step : {Step{new_segment},
                            Step{borrow_from_private_pool},
                            Step{release_oversize_and_grow},
                            Step{release_all_and_retry}}) {
        if (const BlockId found = step(s, request); found != kNoBlock) {
            note.keep_if_higher(s);
            return found;
        }
    }
    return kNoBlock;
}

// 4.4
[[gnu::cold, gnu::noinline]] OutOfMemory out_of_memory(State& s, const Request& request) {
    ++s.counters.num_ooms;
    const Bytes device_free = s.ports.device.free_bytes();
    const PoolStreamId at = pool_stream_of(s, request.pool, request.stream);
    record(s, TraceEvent::Kind::kOom, at, Address{device_free.count}, request.size);
    const MemoryStats stats = s.counters.stats();
    return {.requested = request.requested,
            .rounded = request.size,
            .segment = segment_size(s.settings, request.size),
            .device_free = device_free,
            .device_total = s.total_memory,
            .limit = s.limit,
            .allocated = Bytes{stats.allocated_bytes.all.current},
            .reserved = Bytes{stats.reserved_bytes.all.current}};
}

BlockPoolId pool_named(State& s, PoolId id, Bytes size) {
    const bool small = uses_small_pool(size);
    if (id == kDefaultPoolId) {
        return small ? kDefaultSmallPool : kDefaultLargePool;
    }
    const PrivatePool* known = find_private_pool(s, id);
    const PrivatePool& pool = known != nullptr ? *known : add_private_pool(s, id);
    return small ? pool.small : pool.large;
}

// 4.2 to 4.7; 4.3 alone where the pool is not searched.
[[gnu::always_inline]] inline MallocResult serve(State& s,
                                                 const Request& request,
                                                 bool is_searched = true) {
    BlockId found = is_searched ? take_cached_block(s, request) : kNoBlock;
    if (found == kNoBlock) [[unlikely]] {
        found = grow(s, request);
    }
    if (found == kNoBlock) [[unlikely]] {
        return out_of_memory(s, request);
    }
    hand_out(s, found, request);
    return Allocated{found, s.blocks[found].address};
}

}  // namespace

Request request_of(const State& s, Bytes requested, StreamId stream, ThreadId thread) {
    const Bytes size = round_size(s.settings, requested);
    return {requested, size, stream, choose_pool(s, size, stream, thread)};
}

// Flattened, because the calls cost more than many of the steps; rare steps are marked cold.
[[gnu::flatten]] MallocResult malloc(State& s, Bytes requested, StreamId stream, ThreadId thread) {
    if (requested == Bytes{0}) {
        return NullPointer{};
    }
    settle_frees(s, stream);
    return serve(s, request_of(s, requested, stream, thread));
}

MallocResult malloc_in_pool(State& s, Bytes requested, StreamId stream, PoolId pool) {
    if (requested == Bytes{0}) {
        return NullPointer{};
    }
    const Bytes size = round_size(s.settings, requested);
    return serve(s, {requested, size, stream, pool_named(s, pool, size)});
}

MallocResult grow_in_pool(State& s, Bytes requested, StreamId stream, PoolId pool) {
    const Bytes size = round_size(s.settings, requested);
    constexpr bool kIsSearched = false;
    return serve(s, {requested, size, stream, pool_named(s, pool, size)}, kIsSearched);
}

}  // namespace highwater::allocator
