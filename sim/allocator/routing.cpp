#include "sim/allocator/routing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/allocator/events.hpp"
#include "sim/allocator/merge.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/predicted_error.hpp"
#include "sim/allocator/release.hpp"

namespace highwater::allocator {
namespace {

using Kind = PredictedError::Kind;

bool accepts(const State& s, const Routing& routing, StreamId stream, ThreadId thread) {
    if (const auto* capture = std::get_if<CaptureId>(&routing.filter)) {
        return s.ports.captures.capture_of(stream) == *capture;
    }
    return std::get<ThreadId>(routing.filter) == thread;
}

void hold_pool(State& s, PoolId id) {
    PrivatePool* pool = find_private_pool(s, id);
    if (pool == nullptr) {
        add_private_pool(s, id);
        return;
    }
    if (pool->use_count == 0) {
        throw PredictedError(
            Kind::kInternalAssert,
            fmt::format("pool ({}, {}) was given up by its last graph and still holds memory: "
                        "PyTorch stops with an internal assert (use_count > 0)",
                        id.first,
                        id.second),
            "keep one of its graphs, or an empty one, until the next is captured; or free what it "
            "holds and empty the cache first; or take a new pool");
    }
    ++pool->use_count;
}

auto newest_routing_to(State& s, PoolId pool) {
    return std::ranges::find(s.routings.rbegin(), s.routings.rend(), pool, &Routing::pool);
}

}  // namespace

void begin_routing(State& s, const Routing& routing) {
    hold_pool(s, routing.pool);
    if (newest_routing_to(s, routing.pool) != s.routings.rend()) {
        throw PredictedError(
            Kind::kRuntimeError,
            fmt::format("already recording to mempool_id ({}, {})",
                        routing.pool.first,
                        routing.pool.second),
            "end what records into the pool first; a capture that failed keeps its "
            "pool for ever: take another");
    }
    s.routings.push_back(routing);
}

void end_routing(State& s, PoolId pool) {
    const auto newest = newest_routing_to(s, pool);
    if (newest == s.routings.rend()) {
        throw PredictedError(
            Kind::kRuntimeError,
            fmt::format("not currently recording to mempool_id ({}, {})", pool.first, pool.second));
    }
    s.routings.erase(std::next(newest).base());
}

void give_up_pool(State& s, PoolId id) {
    PrivatePool* pool = find_private_pool(s, id);
    if (pool == nullptr || pool->use_count == 0) {
        throw PredictedError(
            Kind::kInternalAssert,
            fmt::format(
                "pool ({}, {}) is given up more often than it was taken", id.first, id.second));
    }
    --pool->use_count;
}

void create_pool(State& s, PoolId id, bool use_on_oom, bool no_split) {
    hold_pool(s, id);
    PrivatePool& pool = *find_private_pool(s, id);
    pool.use_on_oom = use_on_oom;
    block_pool(s, pool.small).no_split = no_split;
    block_pool(s, pool.large).no_split = no_split;
}

void destroy_pool(State& s, PoolId id) {
    give_up_pool(s, id);
    find_private_pool(s, id)->use_on_oom = false;
    release_private_pool(s, id);
}

const PrivatePool* routed_pool(const State& s, StreamId stream, ThreadId thread) {
    for (auto it = s.routings.rbegin(); it != s.routings.rend(); ++it) {
        if (accepts(s, *it, stream, thread)) {
            return find_private_pool(s, it->pool);
        }
    }
    return nullptr;
}

std::vector<NodeId> markers_of(const State& s, StreamId own, const UseSet& uses) {
    std::vector<NodeId> markers;
    if (!s.settings.graph_capture_record_stream_reuse) {
        return markers;
    }
    std::vector<StreamId> streams{own};
    std::ranges::transform(uses, std::back_inserter(streams), &Use::stream);
    for (const StreamId stream : streams) {
        if (!s.ports.captures.capture_of(stream)) {
            return {};
        }
        const std::vector<NodeId> terminals = s.ports.captures.terminals(stream);
        markers.insert(markers.end(), terminals.begin(), terminals.end());
    }
    return markers;
}

void reuse_parked_blocks(State& s, StreamId stream) {
    if (!s.ports.captures.capture_of(stream) || s.ports.captures.terminals(stream).empty()) {
        return;
    }
    std::vector<BlockId> passed;
    std::erase_if(s.parked, [&](const ParkedBlock& parked) {
        const bool reusable = home(s, s.blocks[parked.block]).stream == stream &&
                              !parked.markers.empty() &&
                              s.ports.captures.all_reached(parked.markers, stream);
        if (reusable) {
            passed.push_back(parked.block);
        }
        return reusable;
    });
    for (const BlockId id : passed) {
        drop_uses(s, s.blocks[id]);
        home(s, s.blocks[id]).parked -= s.blocks[id].size;
        return_to_pool(s, id);
    }
}

}  // namespace highwater::allocator
