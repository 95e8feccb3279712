#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The batch sizes, or counts of tokens, that a serving engine captures one graph each for:
/// ascending, none twice.
using BucketList = std::vector<std::int64_t>;

/// A larger bucket is nobody's, and a list that reaches this far still fits into memory.
inline constexpr std::int64_t kMaxBucket = std::int64_t{1} << 20;

/// The names that `named_bucket_list` knows.
const std::vector<std::string>& bucket_list_names();

/// An engine's default list for a maximum between 1 and `kMaxBucket`. A maximum between two of the
/// list's steps becomes the last bucket where the engine appends it, and else has none. Nothing if
/// the name is unknown.
std::optional<BucketList> named_bucket_list(std::string_view name, std::int64_t max);

/// `first`, `first + step`, ... up to `last`, which is in it if a step reaches it. All from 1 to
/// `kMaxBucket`; nothing if `last` is below `first`.
BucketList range_buckets(std::int64_t first, std::int64_t last, std::int64_t step);

/// The powers of two from `first` to `last`, both from 1 to `kMaxBucket`.
BucketList powers_of_two(std::int64_t first, std::int64_t last);

/// The bucket that a batch is padded to. None if it is above them all: it runs without a graph.
std::optional<std::int64_t> smallest_bucket_for(std::int64_t batch,
                                                std::span<const std::int64_t> buckets);

/// The rows that are computed for nothing when each batch runs once. A batch above all buckets is
/// not padded.
std::int64_t padding_waste(std::span<const std::int64_t> batches,
                           std::span<const std::int64_t> buckets);

}  // namespace highwater
