#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/expression/value.hpp"

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
    /// The name of its graphs; empty for what ran eagerly.
    std::string graph;
    friend bool operator==(const ServedBucket&, const ServedBucket&) = default;
};

/// What measures call the sum over all buckets.
inline constexpr std::string_view kServed = "served";
/// A figure of the run, not of what was served.
inline constexpr std::string_view kServedPaddingTime = "padding_ns";
bool is_served_figure(std::string_view name);
/// `batches`, `rows` or `padding` in all.
std::optional<Value> figure_of(const std::vector<ServedBucket>& served, std::string_view figure);

/// Counts which bucket served how much.
class Serving {
  public:
    void add(std::int64_t batch, std::optional<std::int64_t> bucket, const std::string& graph = {});
    /// By bucket, ascending; what ran eagerly last.
    const std::vector<ServedBucket>& rows() const { return rows_; }

  private:
    std::vector<ServedBucket> rows_;
};

}  // namespace highwater
