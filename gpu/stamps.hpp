#pragma once

#include <cstdint>

namespace highwater::gpu {

/// Every allocation has a word of its own, which its writers leave at each multiple of `kStampStep`
/// bytes, and its readers look for. A word stands for an allocation and not for a writer, because a
/// captured reader's expectation cannot change from replay to replay.
inline constexpr std::uint64_t kStampStep = 512;

/// Larger tensors are stamped at each multiple of this one only: a kernel lasts as long as its
/// Program says, not as long as stamps take.
inline constexpr std::uint64_t kCoarseStampStep = 64ULL * 1024;
inline constexpr std::uint64_t kFineStampLimit = 64ULL * 1024 * 1024;

/// The word of the n-th allocation, counted from 1: never 0, which is what memset leaves, and never
/// the opposite of another's, which a writer leaves while it is at work.
constexpr std::uint64_t stamp_word(std::uint64_t allocation) {
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15ULL;
    return ((allocation * kSpread) << 1U) | 1U;
}

}  // namespace highwater::gpu
