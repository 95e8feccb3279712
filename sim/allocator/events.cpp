#include "sim/allocator/events.hpp"

#include <algorithm>
#include <utility>

#include "sim/allocator/hand_out.hpp"
#include "sim/allocator/merge.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/routing.hpp"

namespace highwater::allocator {
namespace {

UseSet& uses_of(State& s, const Block& block) {
    return s.use_sets[static_cast<std::size_t>(block.uses)];
}

void add_use_set(State& s, Block& block) {
    if (s.vacant_use_sets.empty()) {
        s.use_sets.emplace_back();
        s.vacant_use_sets.push_back(UseSetId{static_cast<std::uint32_t>(s.use_sets.size() - 1)});
    }
    block.uses = s.vacant_use_sets.back();
    s.vacant_use_sets.pop_back();
}

// 7.2: each use gets an event that the block waits for.
void queue_events(State& s, BlockId id, const UseSet& uses) {
    for (const Use& use : uses) {
        const EventId event = s.ports.events.record(use.stream);
        s.streams[static_cast<std::size_t>(use.stream)].events.push_back({event, id});
        ++s.blocks[id].event_count;
        ++s.queued_events;
    }
}

void stop_waiting(State& s, BlockId id) {
    home(s, s.blocks[id]).waiting -= s.blocks[id].size;
    return_to_pool(s, id);
}

// 8.3: uses added under a routing protect nothing once it is over.
void unpark(State& s) {
    std::vector<ParkedBlock> all = std::exchange(s.parked, {});
    if (s.visit_order != nullptr) {
        std::ranges::stable_sort(all, {}, [&s](const ParkedBlock& parked) {
            return s.visit_order->rank(s.blocks[parked.block].address);
        });
    }
    for (const ParkedBlock& parked : all) {
        Block& block = s.blocks[parked.block];
        UseSet uses = uses_of(s, block);
        std::erase_if(uses, [](const Use& use) { return use.under_routing; });
        drop_uses(s, block);
        home(s, block).parked -= block.size;
        home(s, block).waiting += block.size;
        queue_events(s, parked.block, uses);
        if (block.event_count == 0) {
            stop_waiting(s, parked.block);
        }
    }
}

void event_completed(State& s, BlockId id) {
    --s.queued_events;
    Block& block = s.blocks[id];
    --block.event_count;  // NOLINT(bugprone-narrowing-conversions): bit-fields promote to int
    if (block.event_count == 0) {
        stop_waiting(s, id);
    }
}

// The streams in whose queues events wait, in the order in which they are visited.
std::vector<std::size_t> waiting_streams(const State& s) {
    std::vector<std::size_t> streams;
    for (std::size_t i = 0; i < s.streams.size(); ++i) {
        if (!s.streams[i].events.empty()) {
            streams.push_back(i);
        }
    }
    if (s.visit_order != nullptr) {
        std::ranges::stable_sort(streams, {}, [&s](std::size_t i) {
            return s.visit_order->rank(s.blocks[s.streams[i].events.front().block].address);
        });
    }
    return streams;
}

void process_queue(State& s, std::deque<QueuedEvent>& events) {
    while (!events.empty() && s.ports.events.completed(events.front().event)) {
        const BlockId block = events.front().block;
        events.pop_front();
        event_completed(s, block);
    }
}

void synchronize_queue(State& s, std::deque<QueuedEvent>& events, std::optional<PoolId> pool) {
    for (auto it = events.begin(); it != events.end();) {
        if (pool && pool_of(s, s.blocks[it->block]).owner != *pool) {
            ++it;
            continue;
        }
        const QueuedEvent queued = *it;
        it = events.erase(it);
        s.ports.events.synchronize(queued.event);
        event_completed(s, queued.block);
    }
}

// The block waits for its uses: 7.2.
[[gnu::cold]] void wait_for_uses(State& s, BlockId id) {
    Block& block = s.blocks[id];
    PoolStream& at = home(s, block);
    s.counters.given_back(at.kind, block.size);
    if (!s.routings.empty()) {
        at.parked += block.size;
        s.parked.push_back({id, markers_of(s, at.stream, uses_of(s, block))});
        return;
    }
    at.waiting += block.size;
    const UseSet uses = uses_of(s, block);
    drop_uses(s, block);
    queue_events(s, id, uses);
}

}  // namespace

void drop_uses(State& s, Block& block) {
    if (block.uses == kNoUses) {
        return;
    }
    uses_of(s, block).clear();
    s.vacant_use_sets.push_back(block.uses);
    block.uses = kNoUses;
}

void free(State& s, BlockId id) {
    Block& block = s.blocks[id];
    block.allocated = false;
    if (is_oversize(s, block.size)) [[unlikely]] {
        decrease(s.counters.oversize_allocations, 1);
    }
    record(s, TraceEvent::Kind::kFreeRequested, block.pool_stream, block.address, block.requested);
    if (block.uses != kNoUses) [[unlikely]] {
        wait_for_uses(s, id);
        return;
    }
    s.counters.freed(home(s, block).kind, block.size, block.requested);
    become_free(s, id);
}

// Parked with a use that ends when parked blocks are visited.
void free_later(State& s, BlockId id) {
    Block& block = s.blocks[id];
    PoolStream& at = home(s, block);
    block.allocated = false;
    if (is_oversize(s, block.size)) [[unlikely]] {
        decrease(s.counters.oversize_allocations, 1);
    }
    record(s, TraceEvent::Kind::kFreeRequested, block.pool_stream, block.address, block.requested);
    s.counters.given_back(at.kind, block.size);
    if (block.uses == kNoUses) {
        add_use_set(s, block);
    }
    uses_of(s, block) = {{.stream = at.stream, .under_routing = true}};
    at.parked += block.size;
    s.parked.push_back({id, {}});
}

void complete_free(State& s, BlockId id) {
    const auto parked = std::ranges::find(s.parked, id, &ParkedBlock::block);
    check(parked != s.parked.end(), "a free that completes was waiting");
    s.parked.erase(parked);
    home(s, s.blocks[id]).parked -= s.blocks[id].size;
    drop_uses(s, s.blocks[id]);
    return_to_pool(s, id);
}

void record_stream(State& s, BlockId id, StreamId stream) {
    Block& block = s.blocks[id];
    if (stream == home(s, block).stream) {
        return;
    }
    if (block.uses == kNoUses) {
        add_use_set(s, block);
    }
    const bool under_routing = !s.routings.empty();
    for (Use& use : uses_of(s, block)) {
        if (use.stream == stream) {
            use.under_routing |= under_routing;
            return;
        }
    }
    uses_of(s, block).push_back({stream, under_routing});
}

void process_waiting_events(State& s) {
    unpark(s);
    for (const std::size_t stream : waiting_streams(s)) {
        process_queue(s, s.streams[stream].events);
    }
}

void synchronize_events(State& s, std::optional<PoolId> pool) {
    ++s.counters.num_sync_all_streams;
    unpark(s);
    for (const std::size_t stream : waiting_streams(s)) {
        synchronize_queue(s, s.streams[stream].events, pool);
    }
}

}  // namespace highwater::allocator
