#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/ids.hpp"

namespace highwater {

/// Counts what a stream was given to do, from 1.
using Epoch = std::uint32_t;

/// What is known to be done at some point: of each stream everything up to one of its epochs (a
/// vector clock).
class Clock {
  public:
    /// Streams from this one on are told apart no longer, so that clocks stay small: races among
    /// them are missed. PyTorch's own streams are 129 at most.
    static constexpr std::size_t kMaxStreams = 256;

    static std::size_t place_of(StreamId stream) {
        return std::min(index_of(stream), kMaxStreams - 1);
    }

    /// Whether the stream's work of that epoch comes before this point.
    bool covers(StreamId stream, Epoch epoch) const {
        const std::size_t place = place_of(stream);
        return place < known_.size() && known_[place] >= epoch;
    }

    /// Adds the stream's work up to the epoch.
    void advance(StreamId stream, Epoch epoch) {
        const std::size_t place = place_of(stream);
        if (place >= known_.size()) {
            known_.resize(place + 1);
        }
        known_[place] = std::max(known_[place], epoch);
    }

    /// Adds what the other one knows.
    void join(const Clock& other) {
        if (known_.size() < other.known_.size()) {
            known_.resize(other.known_.size());
        }
        for (std::size_t i = 0; i < other.known_.size(); ++i) {
            known_[i] = std::max(known_[i], other.known_[i]);
        }
    }

  private:
    std::vector<Epoch> known_;
};

}  // namespace highwater
