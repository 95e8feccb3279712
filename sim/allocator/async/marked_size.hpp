#pragma once

#include <algorithm>

#include "sim/core/bytes.hpp"

namespace highwater {

/// A size in bytes that keeps its high-water mark.
struct MarkedSize {
    Bytes current;
    /// The largest `current` since the last `reset`.
    Bytes high;

    void set(Bytes size) {
        current = size;
        high = std::max(high, size);
    }
    void add(Bytes size) { set(current + size); }
    void subtract(Bytes size) { current -= size; }
    void reset() { high = current; }
    friend bool operator==(const MarkedSize&, const MarkedSize&) = default;
};

}  // namespace highwater
