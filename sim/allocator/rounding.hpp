#pragma once

#include <algorithm>

#include "sim/allocator/constants.hpp"
#include "sim/allocator/settings.hpp"

/// Allocator specification 3: sizes.
namespace highwater {

/// The least multiple of 512 B that holds `request`, and at least 512 B. `request` is at most
/// `kMaxRequest`.
constexpr Bytes round_to_min_block(Bytes request) {
    constexpr std::uint64_t kMask = kMinBlockSize.count - 1;
    return std::max(kMinBlockSize, Bytes{(request.count + kMask) & ~kMask});
}

/// `request` rounded as its slot of `divisions` says. `request` is at most `kMaxRequest`.
Bytes round_by_divisions(const RoundupDivisions& divisions, Bytes request);

/// The size of the block that serves `request`. Requests above `kMaxRequest` come back as they
/// are: no rounding of them can be relied on to fit in 64 bits, and no device can serve them.
inline Bytes round_size(const AllocatorSettings& settings, Bytes request) {
    if (request > kMaxRequest) [[unlikely]] {
        return request;
    }
    if (settings.roundup_power2_divisions.any()) [[unlikely]] {
        return round_by_divisions(settings.roundup_power2_divisions, request);
    }
    return round_to_min_block(request);
}

/// Whether blocks of this rounded size come from the small pool.
constexpr bool uses_small_pool(Bytes rounded) {
    return rounded <= kSmallSize;
}

/// The size of the segment taken for a block of this rounded size, when none is cached. Sizes
/// above `kMaxRequest` come back as they are.
Bytes segment_size(const AllocatorSettings& settings, Bytes rounded);

}  // namespace highwater
