#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "sim/snapshot/history.hpp"

namespace highwater {

/// An allocation of a history: first those that were live at its start, by address, then as they
/// came.
enum class AllocationId : std::uint32_t {};
inline constexpr AllocationId kNoAllocation{UINT32_MAX};

/// What the program asked of the allocator, read off the events that it led to.
struct Request {
    enum class Kind : std::uint8_t {
        kAlloc,
        kFree,
        /// The end of a free that waited: for events of other streams, or for a capture to end.
        kCompleteFree,
        /// Segments or pages given back; why, only a replay can tell.
        kRelease,
        /// torch.cuda.empty_cache().
        kEmptyCache,
        /// A MemPool was destroyed, or the cache emptied during a capture: private pools alone gave
        /// memory back.
        kReleasePools,
        /// An allocation that failed.
        kOutOfMemory,
    };
    Kind kind{};
    /// Of kFree: it completes later, by a kCompleteFree of its own or not at all.
    bool waits = false;
    /// Of kAlloc: part of setting a pool back, as cudagraph trees do it: the blocks of whole
    /// segments are allocated anew as they were, whatever the split limits say (around-allocator
    /// 5).
    bool is_restored = false;
    /// Of kEmptyCache: it gave nothing back, so no event shows it.
    bool is_inferred = false;
    AllocationId allocation = kNoAllocation;
    Bytes size;
    StreamHandle stream{};
    /// Of kAlloc: where it went.
    RegionId region = kNoRegion;
    /// Its events in the file: [first, end).
    std::size_t first = 0;
    std::size_t end = 0;
    friend bool operator==(const Request&, const Request&) = default;
};

}  // namespace highwater
