#include "sim/report/pool_meter.hpp"

#include "sim/allocator/stranded.hpp"

namespace highwater {

void PoolMeter::begin(const allocator::State& s) {
    for (const allocator::PoolStreamBytes& row : allocator::bytes_by_pool_stream(s)) {
        pools_[row.pool].reserved += row.reserved;
        touched_.emplace(row.pool, row.stream);
    }
}

void PoolMeter::take(const TraceEvent& event) {
    using Kind = TraceEvent::Kind;
    if (event.kind == Kind::kOom) {
        return;
    }
    touched_.emplace(event.pool, event.stream);
    if (event.kind == Kind::kSegmentAlloc || event.kind == Kind::kSegmentMap) {
        pools_[event.pool].reserved += event.size;
    } else if (event.kind == Kind::kSegmentFree || event.kind == Kind::kSegmentUnmap) {
        pools_[event.pool].reserved -= event.size;
    }
}

void PoolMeter::read_again(Pool& pool, const allocator::State& s, PoolId id, StreamId stream) {
    Bytes& rest = pool.rest_of[stream];
    pool.rest -= rest;
    rest = allocator::not_allocated(s, id, stream);
    pool.rest += rest;
}

std::vector<PoolMeter::Reading> PoolMeter::changes(const allocator::State& s) {
    std::set<PoolId> pools;
    for (const auto& [id, stream] : touched_) {
        read_again(pools_[id], s, id, stream);
        pools.insert(id);
    }
    touched_.clear();
    std::vector<Reading> changed;
    for (const PoolId id : pools) {
        const Pool& pool = pools_[id];
        const Reading now{id, pool.reserved, pool.reserved - pool.rest};
        Reading& last = last_.try_emplace(id, Reading{id, {}, {}}).first->second;
        if (now != last) {
            last = now;
            changed.push_back(now);
        }
    }
    return changed;
}

}  // namespace highwater
