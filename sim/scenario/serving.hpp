#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater {

/// The batches that one bucket served.
struct ServedBucket {
    /// None: too large for all buckets, and run eagerly.
    std::optional<std::int64_t> bucket;
    std::int64_t batches = 0;
    /// The sum of the batches' sizes.
    std::int64_t rows = 0;
    /// Rows that were computed for nothing.
    std::int64_t padding = 0;
    friend bool operator==(const ServedBucket&, const ServedBucket&) = default;
};

/// Counts which bucket served how much.
class Serving {
  public:
    void add(std::int64_t batch, std::optional<std::int64_t> bucket);
    /// By bucket, ascending; what ran eagerly last.
    const std::vector<ServedBucket>& rows() const { return rows_; }

  private:
    std::vector<ServedBucket> rows_;
};

}  // namespace highwater
