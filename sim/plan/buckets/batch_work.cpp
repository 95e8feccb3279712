#include "sim/plan/buckets/batch_work.hpp"

namespace highwater::plan {

BatchWork::BatchWork(BatchHistogram histogram, BucketList candidates, BucketCost cost)
    : histogram_(std::move(histogram)), candidates_(std::move(candidates)), cost_(cost) {}

void BatchWork::set_replays(std::map<std::int64_t, BucketFigures> figures) {
    figures_ = std::move(figures);
}

std::int64_t BatchWork::of(std::int64_t bucket) const {
    return cost_ == BucketCost::kRows ? bucket : std::int64_t{figures_.at(bucket).replay.count()};
}

std::int64_t BatchWork::needed() const {
    std::int64_t sum = 0;
    for (const BatchCount& each : histogram_) {
        sum += each.count * needed_by(each.batch);
    }
    return sum;
}

BatchWork::Padding BatchWork::in(const BucketList& list) const {
    Padding sum;
    for (const BatchCount& each : histogram_) {
        if (const auto bucket = smallest_bucket_for(each.batch, list)) {
            sum.padding += each.count * (of(*bucket) - needed_by(each.batch));
        } else {
            sum.eager_batches += each.count;
        }
    }
    return sum;
}

std::int64_t BatchWork::needed_by(std::int64_t batch) const {
    return cost_ == BucketCost::kRows ? batch : of(*smallest_bucket_for(batch, candidates_));
}

}  // namespace highwater::plan
