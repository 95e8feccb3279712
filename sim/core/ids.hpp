#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace highwater {

/// The place of a numbered name in its table.
template <typename Id>
constexpr std::size_t index_of(Id id) {
    return static_cast<std::size_t>(id);
}

/// A CUDA stream as the simulator numbers it: 0 is the default stream. Names only, no arithmetic.
enum class StreamId : std::uint32_t {};
inline constexpr StreamId kDefaultStream{0};

/// The value of a `cudaStream_t`. PyTorch orders free blocks by it, so its order matters; the
/// default stream has handle 0.
enum class StreamHandle : std::uint64_t {};

/// A host thread. `use_mem_pool` routes the allocations of one thread only.
enum class ThreadId : std::uint32_t {};
inline constexpr ThreadId kMainThread{0};

/// A CUDA event, as its source numbers it.
enum class EventId : std::uint64_t {};

/// A stream capture under way (`cudaStreamGetCaptureInfo`'s id).
enum class CaptureId : std::uint32_t {};

/// A node of a graph being captured, numbered over all captures of a process.
enum class NodeId : std::uint64_t {};

/// PyTorch's `MempoolId_t`: (0, n) from `graph_pool_handle` and `MemPool`, (n, 0) for graphs
/// captured without a pool, (0, 0) for the default pools.
struct PoolId {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend constexpr auto operator<=>(const PoolId&, const PoolId&) = default;
};
inline constexpr PoolId kDefaultPoolId{};

}  // namespace highwater
