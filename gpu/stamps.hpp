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
constexpr std::uint64_t stamp_word(std::uint64_t allocation, std::uint32_t rank = 0) {
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15ULL;
    constexpr unsigned kRankShift = 40;
    const std::uint64_t number = allocation + (std::uint64_t{rank} << kRankShift);
    return ((number * kSpread) << 1U) | 1U;
}

/// What is in a tensor here, and the sum, as of 64-bit numbers, of what all ranks have in theirs.
struct StampedWord {
    std::uint64_t here = 0;
    std::uint64_t sum = 0;
};

/// Of the n-th allocation of each rank: all run the same Program.
constexpr StampedWord stamped_word(std::uint64_t allocation,
                                   std::uint32_t rank,
                                   std::uint32_t ranks) {
    StampedWord made{stamp_word(allocation, rank), 0};
    for (std::uint32_t i = 0; i < ranks; ++i) {
        made.sum += stamp_word(allocation, i);
    }
    return made;
}

/// Once it is reduced.
constexpr StampedWord reduced(StampedWord word, std::uint32_t ranks) {
    return {word.sum, word.sum * ranks};
}

}  // namespace highwater::gpu
