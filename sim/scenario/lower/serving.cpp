#include "sim/scenario/lower/serving.hpp"

#include <algorithm>

namespace highwater {

namespace {

std::int64_t ServedBucket::*find_figure(std::string_view name) {
    if (name == "batches") {
        return &ServedBucket::batches;
    }
    if (name == "rows") {
        return &ServedBucket::rows;
    }
    return name == "padding" ? &ServedBucket::padding : nullptr;
}

}  // namespace

bool is_served_figure(std::string_view name) {
    return find_figure(name) != nullptr || name == kServedPaddingTime;
}

std::optional<Value> figure_of(const std::vector<ServedBucket>& served, std::string_view figure) {
    const auto member = find_figure(figure);
    if (member == nullptr) {
        return std::nullopt;
    }
    std::int64_t sum = 0;
    for (const ServedBucket& row : served) {
        sum += row.*member;
    }
    return sum;
}

void Serving::add(std::int64_t batch,
                  std::optional<std::int64_t> bucket,
                  const std::string& graph) {
    const auto comes_before = [](const ServedBucket& row, std::optional<std::int64_t> wanted) {
        return row.bucket && (!wanted || *row.bucket < *wanted);
    };
    auto row = std::lower_bound(rows_.begin(), rows_.end(), bucket, comes_before);
    if (row == rows_.end() || row->bucket != bucket) {
        row = rows_.insert(row, ServedBucket{bucket, 0, 0, 0, graph});
    }
    ++row->batches;
    row->rows += batch;
    row->padding += bucket.value_or(batch) - batch;
}

}  // namespace highwater
