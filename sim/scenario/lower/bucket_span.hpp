#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace highwater {

/// The operations that one bucket's capture in a `capture` phase came to: [first, end).
struct BucketSpan {
    /// The scenario's name for the list; empty for a list of the phase's own.
    std::string set;
    std::int64_t bucket = 0;
    std::size_t first = 0;
    std::size_t end = 0;
    friend bool operator==(const BucketSpan&, const BucketSpan&) = default;
};

}  // namespace highwater
