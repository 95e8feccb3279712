#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "sim/core/ids.hpp"

namespace highwater {

/// PyTorch's streams: 32 per priority level, handed out in turn, so that the 33rd is the 1st again
/// (c10/cuda/CUDAStream.cpp, `getStreamFromPool`).
class StreamPool {
  public:
    static constexpr std::size_t kStreamsPerLevel = 32;
    /// As many as an H200 gives: its priorities go from 0 to -3.
    static constexpr std::size_t kLevels = 4;

    struct Stream {
        /// Where it stands among the streams of its level.
        std::size_t index = 0;
        std::size_t level = 0;
        friend auto operator<=>(const Stream&, const Stream&) = default;
    };

    /// The level of a priority of 0 or below: lower ones than the card has mean its lowest.
    static std::size_t level_of(std::int64_t priority);

    /// The next stream of the level.
    Stream take(std::size_t level);

    /// A made-up handle. All streams are created at once, index by index and level by level, and
    /// handles ascend in that order; those of a driver need not.
    static StreamHandle handle_of(const Stream& stream);

  private:
    std::array<std::size_t, kLevels> taken_{};
};

}  // namespace highwater
