#include "sim/allocator/counters.hpp"

namespace highwater {

void increase(Stat& stat, std::uint64_t amount) {
    stat.current += amount;
    stat.allocated += amount;
    stat.peak = std::max(stat.peak, stat.current);
}

void decrease(Stat& stat, std::uint64_t amount) {
    stat.current -= amount;
    stat.freed += amount;
}

Stat Counters::Kept::stat() const {
    return {current, peak, allocated, allocated + current_at_reset - current};
}

StatByPool Counters::stat_of(const Entry& entry) {
    StatByPool result{
        .all = {}, .small_pool = entry.by_kind[0].stat(), .large_pool = entry.by_kind[1].stat()};
    result.all = {entry.all_current,
                  entry.all_peak,
                  result.small_pool.allocated + result.large_pool.allocated,
                  result.small_pool.freed + result.large_pool.freed};
    return result;
}

MemoryStats Counters::stats() const {
    MemoryStats result;
    for (std::size_t i = 0; i < kStatsByPool.size(); ++i) {
        result.*kStatsByPool[i].value = stat_of(entries_[i]);
    }
    result.oversize_allocations = oversize_allocations;
    result.oversize_segments = oversize_segments;
    result.num_alloc_retries = num_alloc_retries;
    result.num_ooms = num_ooms;
    result.num_sync_all_streams = num_sync_all_streams;
    result.num_device_alloc = num_device_alloc;
    result.num_device_free = num_device_free;
    return result;
}

void Counters::reset_peaks() {
    for (Entry& entry : entries_) {
        for (Kept& kept : entry.by_kind) {
            kept.peak = kept.current;
        }
        entry.all_peak = entry.all_current;
    }
    oversize_allocations.peak = oversize_allocations.current;
    oversize_segments.peak = oversize_segments.current;
}

void Counters::reset_accumulated() {
    for (Entry& entry : entries_) {
        for (Kept& kept : entry.by_kind) {
            kept.allocated = 0;
            kept.current_at_reset = kept.current;
        }
    }
    for (Stat* stat : {&oversize_allocations, &oversize_segments}) {
        stat->allocated = 0;
        stat->freed = 0;
    }
    num_alloc_retries = num_ooms = num_sync_all_streams = 0;
    num_device_alloc = num_device_free = 0;
}

}  // namespace highwater
