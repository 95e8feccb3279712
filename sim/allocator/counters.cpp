#include "sim/allocator/counters.hpp"

#include <algorithm>

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

void Counters::ActivePeaks::cover(std::uint64_t active_blocks, std::uint64_t active_bytes) {
    blocks = std::max(blocks, active_blocks);
    bytes = std::max(bytes, active_bytes);
}

Stat Counters::stat(Counter counter, std::size_t kind) const {
    const Kept& kept = kept_[kind][index_of(counter)];
    const std::uint64_t at_reset = current_at_reset_[kind][index_of(counter)];
    return {kept.current, kept.peak, kept.allocated, kept.allocated + at_reset - kept.current};
}

StatByPool Counters::stat_by_pool(Counter counter) const {
    StatByPool result{.all = {}, .small_pool = stat(counter, 0), .large_pool = stat(counter, 1)};
    result.all = {total(counter),
                  total_peaks_[index_of(counter)],
                  result.small_pool.allocated + result.large_pool.allocated,
                  result.small_pool.freed + result.large_pool.freed};
    return result;
}

StatByPool Counters::active(Counter allocated,
                            std::uint64_t Pending::*pending,
                            std::uint64_t ActivePeaks::*peak) const {
    StatByPool result = stat_by_pool(allocated);
    const auto extend =
        [](Stat& stat, std::uint64_t now, std::uint64_t at_reset, std::uint64_t top) {
            stat.current += now;
            stat.freed += at_reset - now;
            stat.peak = std::max(stat.peak, top);
        };
    extend(result.small_pool,
           pending_[0].*pending,
           pending_at_reset_[0].*pending,
           active_peaks_[0].*peak);
    extend(result.large_pool,
           pending_[1].*pending,
           pending_at_reset_[1].*pending,
           active_peaks_[1].*peak);
    extend(result.all,
           pending_[0].*pending + pending_[1].*pending,
           pending_at_reset_[0].*pending + pending_at_reset_[1].*pending,
           total_active_peaks_.*peak);
    return result;
}

MemoryStats Counters::stats() const {
    return {.allocation = stat_by_pool(Counter::kAllocation),
            .segment = stat_by_pool(Counter::kSegment),
            .active = active(Counter::kAllocation, &Pending::blocks, &ActivePeaks::blocks),
            .inactive_split = stat_by_pool(Counter::kInactiveSplit),
            .allocated_bytes = stat_by_pool(Counter::kAllocatedBytes),
            .reserved_bytes = stat_by_pool(Counter::kReservedBytes),
            .active_bytes = active(Counter::kAllocatedBytes, &Pending::bytes, &ActivePeaks::bytes),
            .inactive_split_bytes = stat_by_pool(Counter::kInactiveSplitBytes),
            .requested_bytes = stat_by_pool(Counter::kRequestedBytes),
            .oversize_allocations = oversize_allocations,
            .oversize_segments = oversize_segments,
            .num_alloc_retries = num_alloc_retries,
            .num_ooms = num_ooms,
            .num_sync_all_streams = num_sync_all_streams,
            .num_device_alloc = num_device_alloc,
            .num_device_free = num_device_free};
}

void Counters::cover_active_peaks(std::size_t kind) {
    const auto current = [this, kind](Counter counter) {
        return kept_[kind][index_of(counter)].current;
    };
    active_peaks_[kind].cover(current(Counter::kAllocation) + pending_[kind].blocks,
                              current(Counter::kAllocatedBytes) + pending_[kind].bytes);
    total_active_peaks_.cover(
        total(Counter::kAllocation) + pending_[0].blocks + pending_[1].blocks,
        total(Counter::kAllocatedBytes) + pending_[0].bytes + pending_[1].bytes);
}

void Counters::reset_peaks() {
    for (std::size_t counter = 0; counter < kCounters; ++counter) {
        for (OfKind& of_kind : kept_) {
            of_kind[counter].peak = of_kind[counter].current;
        }
        total_peaks_[counter] = total(static_cast<Counter>(counter));
    }
    active_peaks_ = {};
    total_active_peaks_ = {};
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        cover_active_peaks(kind);
    }
    oversize_allocations.peak = oversize_allocations.current;
    oversize_segments.peak = oversize_segments.current;
}

void Counters::reset_accumulated() {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        for (std::size_t counter = 0; counter < kCounters; ++counter) {
            kept_[kind][counter].allocated = 0;
            current_at_reset_[kind][counter] = kept_[kind][counter].current;
        }
    }
    pending_at_reset_ = pending_;
    for (Stat* stat : {&oversize_allocations, &oversize_segments}) {
        stat->allocated = 0;
        stat->freed = 0;
    }
    num_alloc_retries = num_ooms = num_sync_all_streams = 0;
    num_device_alloc = num_device_free = 0;
}

}  // namespace highwater
