#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace highwater {

/// One statistic of one kind of pool, as in `torch.cuda.memory_stats`. `allocated` and `freed` are
/// lifetime sums: current = allocated - freed since the last reset of the accumulated statistics.
struct Stat {
    std::uint64_t current = 0;
    std::uint64_t peak = 0;
    std::uint64_t allocated = 0;
    std::uint64_t freed = 0;
    friend constexpr bool operator==(const Stat&, const Stat&) = default;
};

/// all = small_pool + large_pool, except for peaks, which need not coincide in time.
struct StatByPool {
    Stat all;
    Stat small_pool;
    Stat large_pool;
    friend constexpr bool operator==(const StatByPool&, const StatByPool&) = default;
};

/// Every figure of `torch.cuda.memory_stats`, under its name there. Names that end in `_bytes` are
/// bytes, the rest are counts. Source: allocator specification, 4 to 9; PyTorch's memory_stats.
struct MemoryStats {
    StatByPool allocation;
    StatByPool segment;
    StatByPool active;
    StatByPool inactive_split;
    StatByPool allocated_bytes;
    StatByPool reserved_bytes;
    StatByPool active_bytes;
    StatByPool inactive_split_bytes;
    StatByPool requested_bytes;
    Stat oversize_allocations;
    Stat oversize_segments;
    std::uint64_t num_alloc_retries = 0;
    std::uint64_t num_ooms = 0;
    std::uint64_t num_sync_all_streams = 0;
    std::uint64_t num_device_alloc = 0;
    std::uint64_t num_device_free = 0;
    friend constexpr bool operator==(const MemoryStats&, const MemoryStats&) = default;
};

struct NamedStatByPool {
    std::string_view name;
    StatByPool MemoryStats::*value;
};

/// The statistics kept by pool, in PyTorch's words.
inline constexpr std::array<NamedStatByPool, 9> kStatsByPool{{
    {"allocation", &MemoryStats::allocation},
    {"segment", &MemoryStats::segment},
    {"active", &MemoryStats::active},
    {"inactive_split", &MemoryStats::inactive_split},
    {"allocated_bytes", &MemoryStats::allocated_bytes},
    {"reserved_bytes", &MemoryStats::reserved_bytes},
    {"active_bytes", &MemoryStats::active_bytes},
    {"inactive_split_bytes", &MemoryStats::inactive_split_bytes},
    {"requested_bytes", &MemoryStats::requested_bytes},
}};

struct NamedCount {
    std::string_view name;
    std::uint64_t MemoryStats::*value;
};

/// The plain counts, in PyTorch's words.
inline constexpr std::array<NamedCount, 5> kCounts{{
    {"num_alloc_retries", &MemoryStats::num_alloc_retries},
    {"num_ooms", &MemoryStats::num_ooms},
    {"num_sync_all_streams", &MemoryStats::num_sync_all_streams},
    {"num_device_alloc", &MemoryStats::num_device_alloc},
    {"num_device_free", &MemoryStats::num_device_free},
}};

}  // namespace highwater
