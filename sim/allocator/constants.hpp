#pragma once

#include <cstdint>

#include "sim/core/bytes.hpp"

namespace highwater {

using literals::operator""_B;
using literals::operator""_MiB;

// Allocator specification 1, under PyTorch's names.

/// The smallest block, and what plain rounding rounds up to.
inline constexpr Bytes kMinBlockSize = 512_B;
/// Rounded sizes up to and including this use the small pool.
inline constexpr Bytes kSmallSize = 1_MiB;
/// The size of a segment, and of an expandable segment's page, in the small pool.
inline constexpr Bytes kSmallBuffer = 2_MiB;
/// Sizes above `kSmallSize` and strictly below this take a segment of the large segment size.
inline constexpr Bytes kMinLargeAlloc = 10_MiB;
/// The default of the option `large_segment_size_mb`.
inline constexpr Bytes kDefaultLargeSegmentSize = 20_MiB;
/// Sizes from `kMinLargeAlloc` up take a segment of the size rounded up to this.
inline constexpr Bytes kRoundLarge = 2_MiB;

// Ours.

/// The largest request that rounding handles: its block and its segment are at most 2^63 bytes.
/// PyTorch's own sizes are signed, so it is never asked for more.
inline constexpr Bytes kMaxRequest{INT64_MAX};
/// The most that `large_segment_size_mb` and `max_non_split_rounding_mb` come to, 1 EiB, so that
/// neither can push a sum over 2^64 bytes. PyTorch stops just below 16 EiB; no device holds either.
inline constexpr Bytes kMaxLargeSegmentSize{1ULL << 60};

}  // namespace highwater
