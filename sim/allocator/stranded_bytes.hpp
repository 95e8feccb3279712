#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// Why a free or pending block cannot serve a request: the first of these that holds. First whose
/// the block is, which a program can change; then what malloc finds out about a block of the
/// request's own stream and pool (allocator specification 4.1 to 4.3b).
enum class StrandedReason : std::uint8_t {
    /// It belongs to another owner: the default pools, or another private pool.
    kOtherPool,
    kOtherStream,
    /// It is in the small pool, and the request needs the large one, or the other way round.
    kSmallLarge,
    /// It was given back, but events on other streams are outstanding.
    kWaitingForEvents,
    /// It was given back while a routing was active, and waits until none is.
    kParked,
    /// It is smaller than the request.
    kTooSmall,
    /// `max_split_size_mb` keeps requests of this size off blocks of its size.
    kMaxSplitSize,
    /// It is expandable, and expandable segments have been switched off since.
    kExpandableOff,
    /// It is part of what an expandable segment grows from: it serves once pages are mapped.
    kGrows,
};
inline constexpr std::size_t kStrandedReasons = 9;

/// In the order of `StrandedReason`, as keys of JSON.
inline constexpr std::array<std::string_view, kStrandedReasons> kStrandedNames{
    "other_pool",
    "other_stream",
    "small_large",
    "waiting_for_events",
    "parked",
    "too_small",
    "max_split_size",
    "expandable_off",
    "grows",
};

/// What of the reserved memory was not allocated when a request was made: in bytes, usable + all
/// reasons = reserved - allocated.
struct StrandedBytes {
    std::array<Bytes, kStrandedReasons> by_reason{};
    /// Each of these blocks could have served the request.
    Bytes usable;

    Bytes& operator[](StrandedReason reason) { return by_reason[index_of(reason)]; }
    Bytes operator[](StrandedReason reason) const { return by_reason[index_of(reason)]; }
    Bytes total() const { return std::accumulate(by_reason.begin(), by_reason.end(), usable); }
    friend bool operator==(const StrandedBytes&, const StrandedBytes&) = default;
};

/// A request that found no block, and for which its pool took memory from the device.
struct Growth {
    /// As asked for.
    Bytes requested;
    StreamId stream{};
    /// Just before the pool grew.
    StrandedBytes stranded;
    friend bool operator==(const Growth&, const Growth&) = default;
};

}  // namespace highwater
