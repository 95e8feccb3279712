#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/allocator/memory_stats.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// small_pool or large_pool: by the pool a block lives in, not by its request.
enum class PoolKind : std::uint8_t { kSmall, kLarge };

/// The statistics that are kept as such. Those of active blocks follow from them.
enum class Counter : std::uint8_t {
    kAllocation,
    kAllocatedBytes,
    kRequestedBytes,
    kInactiveSplit,
    kInactiveSplitBytes,
    kSegment,
    kReservedBytes,
};

/// The running statistics: active = allocated + pending, for blocks and for bytes. Only what cannot
/// be derived is kept, because every malloc and free pays for it: freed = allocated - current since
/// the last reset, lifetime sums of "all" are those of the two kinds, and active blocks come and go
/// with allocated ones but for those that wait for events.
class Counters {
  public:
    /// A block is handed out: it becomes allocated, and so active.
    void handed_out(PoolKind kind, Bytes size, Bytes requested) {
        increase(Counter::kAllocation, kind, 1);
        increase(Counter::kAllocatedBytes, kind, size.count);
        increase(Counter::kRequestedBytes, kind, requested.count);
        if ((pending_[0].blocks | pending_[1].blocks) != 0) [[unlikely]] {
            cover_active_peaks(index_of(kind));
        }
    }
    /// The user gives a block back: it is active no longer as allocated, but as pending.
    void given_back(PoolKind kind, Bytes size) {
        decrease(Counter::kAllocation, kind, 1);
        decrease(Counter::kAllocatedBytes, kind, size.count);
        ++pending_[index_of(kind)].blocks;
        pending_[index_of(kind)].bytes += size.count;
    }
    /// A pending block becomes free.
    void returned(PoolKind kind, Bytes size, Bytes requested) {
        --pending_[index_of(kind)].blocks;
        pending_[index_of(kind)].bytes -= size.count;
        decrease(Counter::kRequestedBytes, kind, requested.count);
    }
    /// Both at once, of a block that need not wait.
    void freed(PoolKind kind, Bytes size, Bytes requested) {
        decrease(Counter::kAllocation, kind, 1);
        decrease(Counter::kAllocatedBytes, kind, size.count);
        decrease(Counter::kRequestedBytes, kind, requested.count);
    }

    void increase(Counter counter, PoolKind kind, std::uint64_t amount) {
        Kept& kept = kept_[index_of(kind)][index_of(counter)];
        kept.current += amount;
        kept.allocated += amount;
        cover_peaks(counter, kept);
    }
    void decrease(Counter counter, PoolKind kind, std::uint64_t amount) {
        kept_[index_of(kind)][index_of(counter)].current -= amount;
    }
    /// The net change of one operation: PyTorch sums it up before it counts.
    void change(Counter counter, PoolKind kind, std::int64_t net) {
        Kept& kept = kept_[index_of(kind)][index_of(counter)];
        kept.current += static_cast<std::uint64_t>(net);
        kept.allocated += static_cast<std::uint64_t>(std::max<std::int64_t>(net, 0));
        cover_peaks(counter, kept);
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
    static constexpr std::size_t kCounters = 7;
    static constexpr std::size_t kKinds = 2;

    struct Kept {
        std::uint64_t current = 0;
        std::uint64_t peak = 0;
        std::uint64_t allocated = 0;
    };
    using OfKind = std::array<Kept, kCounters>;
    struct Pending {
        std::uint64_t blocks = 0;
        std::uint64_t bytes = 0;
    };
    /// The largest active figures at any malloc that met pending blocks. At the others allocated
    /// equals active, so that its peak covers them.
    struct ActivePeaks {
        std::uint64_t blocks = 0;
        std::uint64_t bytes = 0;
        void cover(std::uint64_t active_blocks, std::uint64_t active_bytes);
    };

    [[gnu::cold, gnu::noinline]] void cover_active_peaks(std::size_t kind);
    std::uint64_t total(Counter counter) const {
        return kept_[0][index_of(counter)].current + kept_[1][index_of(counter)].current;
    }
    // Branches, because new peaks are rare and stores are not free.
    void cover_peaks(Counter counter, Kept& kept) {
        if (kept.current > kept.peak) [[unlikely]] {
            kept.peak = kept.current;
        }
        if (total(counter) > total_peaks_[index_of(counter)]) [[unlikely]] {
            total_peaks_[index_of(counter)] = total(counter);
        }
    }
    Stat stat(Counter counter, std::size_t kind) const;
    StatByPool stat_by_pool(Counter counter) const;
    StatByPool active(Counter allocated,
                      std::uint64_t Pending::*pending,
                      std::uint64_t ActivePeaks::*peak) const;

    std::array<OfKind, kKinds> kept_;
    std::array<std::uint64_t, kCounters> total_peaks_{};
    std::array<Pending, kKinds> pending_;
    std::array<ActivePeaks, kKinds> active_peaks_;
    ActivePeaks total_active_peaks_;
    /// What was current and pending when the accumulated statistics were reset.
    std::array<std::array<std::uint64_t, kCounters>, kKinds> current_at_reset_{};
    std::array<Pending, kKinds> pending_at_reset_;
};

void increase(Stat& stat, std::uint64_t amount);
void decrease(Stat& stat, std::uint64_t amount);

}  // namespace highwater
