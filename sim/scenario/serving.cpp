#include "sim/scenario/serving.hpp"

#include <algorithm>

namespace highwater {

void Serving::add(std::int64_t batch, std::optional<std::int64_t> bucket) {
    const auto comes_before = [](const ServedBucket& row, std::optional<std::int64_t> wanted) {
        return row.bucket && (!wanted || *row.bucket < *wanted);
    };
    auto row = std::lower_bound(rows_.begin(), rows_.end(), bucket, comes_before);
    if (row == rows_.end() || row->bucket != bucket) {
        row = rows_.insert(row, ServedBucket{bucket});
    }
    ++row->batches;
    row->rows += batch;
    row->padding += bucket.value_or(batch) - batch;
}

}  // namespace highwater
