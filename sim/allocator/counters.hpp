#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/allocator/memory_stats.hpp"

namespace highwater {

/// small_pool or large_pool: by the pool a block lives in, not by its request.
enum class PoolKind : std::uint8_t { kSmall, kLarge };

/// The statistics kept by pool, in the order of `kStatsByPool`.
enum class Counter : std::uint8_t {
    kAllocation,
    kSegment,
    kActive,
    kInactiveSplit,
    kAllocatedBytes,
    kReservedBytes,
    kActiveBytes,
    kInactiveSplitBytes,
    kRequestedBytes,
};

/// The running statistics. Only what cannot be derived is kept: freed = allocated - current since
/// the last reset, and the totals of "all" are sums.
class Counters {
  public:
    void increase(Counter counter, PoolKind kind, std::uint64_t amount) {
        Entry& entry = entries_[static_cast<std::size_t>(counter)];
        Kept& kept = entry.by_kind[static_cast<std::size_t>(kind)];
        kept.current += amount;
        kept.allocated += amount;
        kept.peak = std::max(kept.peak, kept.current);
        entry.all_current += amount;
        entry.all_peak = std::max(entry.all_peak, entry.all_current);
    }
    void decrease(Counter counter, PoolKind kind, std::uint64_t amount) {
        Entry& entry = entries_[static_cast<std::size_t>(counter)];
        entry.by_kind[static_cast<std::size_t>(kind)].current -= amount;
        entry.all_current -= amount;
    }
    /// The net change of one operation: PyTorch sums it up before it counts.
    void change(Counter counter, PoolKind kind, std::int64_t net) {
        if (net > 0) {
            increase(counter, kind, static_cast<std::uint64_t>(net));
        } else if (net < 0) {
            decrease(counter, kind, static_cast<std::uint64_t>(-net));
        }
    }

    void reset_peaks();
    void reset_accumulated();
    MemoryStats stats() const;

    Stat oversize_allocations;
    Stat oversize_segments;
    std::uint64_t num_alloc_retries = 0;
    std::uint64_t num_ooms = 0;
    std::uint64_t num_sync_all_streams = 0;
    std::uint64_t num_device_alloc = 0;
    std::uint64_t num_device_free = 0;

  private:
    struct Kept {
        std::uint64_t current = 0;
        std::uint64_t peak = 0;
        std::uint64_t allocated = 0;
        std::uint64_t current_at_reset = 0;
        Stat stat() const;
    };
    struct Entry {
        std::array<Kept, 2> by_kind;
        std::uint64_t all_current = 0;
        std::uint64_t all_peak = 0;
    };
    static StatByPool stat_of(const Entry& entry);

    std::array<Entry, kStatsByPool.size()> entries_;
};

void increase(Stat& stat, std::uint64_t amount);
void decrease(Stat& stat, std::uint64_t amount);

}  // namespace highwater
