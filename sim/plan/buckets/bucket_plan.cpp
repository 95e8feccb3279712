#include "sim/plan/buckets/bucket_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/plan/buckets/search.hpp"
#include "sim/plan/fit/largest.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::plan {
namespace {

// Beyond the list that fits, more are tried: larger ones may fit into the same segments.
constexpr std::size_t kLookAhead = 3;
constexpr std::size_t kMostCurvePoints = 12;

class BucketPlanner {
  public:
    BucketPlanner(const Scenario& scenario,
                  std::span<const Override> overrides,
                  const BucketQuestion& question)
        : question_(question), runs_(scenario, overrides, question.set) {}

    BucketPlan make() {
        if (question_.cost == BucketCost::kTime && !runs_.has_times()) {
            throw InputError({"--bucket-cost"},
                             "without a cost profile no time passes",
                             "add `cost_profile:` to the scenario, or leave `time` out");
        }
        find_candidates();
        find_work();
        find_budget();
        search();
        choose();
        add_others();
        add_curve();
        finish();
        return std::move(plan_);
    }

  private:
    // Up to the smallest that holds all batches: larger ones only waste.
    void find_candidates() {
        candidates_ = question_.candidates.value_or(BucketList{});
        if (!question_.candidates) {
            candidates_.resize(static_cast<std::size_t>(runs_.own().back()));
            std::iota(candidates_.begin(), candidates_.end(), 1);
        }
        histogram_ = question_.histogram(candidates_.back());
        const std::int64_t largest = histogram_.back().batch;
        candidates_.erase(std::next(std::ranges::lower_bound(candidates_, largest)),
                          candidates_.end());
        if (!question_.candidates && question_.cost == BucketCost::kRows) {
            leave_out_idle_candidates();
        }
        if (candidates_.size() > BucketQuestion::kMostCandidates) {
            throw InputError(
                {"--bucket-candidates"},
                fmt::format("{} candidates", candidates_.size()),
                fmt::format(
                    "name at most {}, as `1..{}:8`", BucketQuestion::kMostCandidates, largest));
        }
        plan_.candidates = candidates_.size();
    }

    // A bucket that no batch fills exactly wastes rows in each.
    void leave_out_idle_candidates() {
        candidates_.clear();
        for (const BatchCount& each : histogram_) {
            candidates_.push_back(each.batch);
        }
    }

    void find_work() {
        BucketList measured = candidates_;
        if (question_.cost == BucketCost::kTime) {
            add_others_to(measured);
        }
        const std::vector<BucketFigures> figures = runs_.measure(measured);
        for (std::size_t i = 0; i < measured.size(); ++i) {
            figures_[measured[i]] = figures[i];
        }
        plan_.needed =
            question_.cost == BucketCost::kRows ? rows_in(histogram_) : work_in(candidates_).work;
    }

    // Their replays take time, too.
    void add_others_to(BucketList& list) const {
        std::set<std::int64_t> all(list.begin(), list.end());
        for (const auto& [name, other] : other_lists()) {
            all.insert(other.begin(), other.end());
        }
        list.assign(all.begin(), all.end());
    }

    std::vector<std::pair<std::string, BucketList>> other_lists() const {
        std::vector<std::pair<std::string, BucketList>> lists{{"the scenario's own", runs_.own()}};
        for (const std::string& name : bucket_list_names()) {
            const BucketList list = *named_bucket_list(name, candidates_.back());
            if (!list.empty()) {
                lists.emplace_back(name, list);
            }
        }
        return lists;
    }

    std::int64_t work_of(std::int64_t bucket) const {
        const bool is_rows = question_.cost == BucketCost::kRows;
        return is_rows ? bucket : std::int64_t{figures_.at(bucket).replay.count()};
    }

    struct Work {
        std::int64_t work = 0;
        /// Of what runs eagerly.
        std::int64_t eager_batches = 0;
        std::int64_t eager_needs = 0;
    };

    Work work_in(const BucketList& list) const {
        Work sum;
        for (const BatchCount& each : histogram_) {
            if (const auto bucket = smallest_bucket_for(each.batch, list)) {
                sum.work += each.count * work_of(*bucket);
            } else {
                sum.eager_batches += each.count;
                sum.eager_needs += each.count * work_of(*smallest_bucket_for(
                                                    each.batch, candidates_for_need(each.batch)));
            }
        }
        return sum;
    }

    // In rows a batch needs its own.
    BucketList candidates_for_need(std::int64_t batch) const {
        return question_.cost == BucketCost::kRows ? BucketList{batch} : candidates_;
    }

    BucketListFigures figures_of(std::string name, const BucketList& list) {
        const Work work = work_in(list);
        BucketListFigures made;
        made.name = std::move(name);
        made.list = list;
        made.padding = work.work + work.eager_needs - plan_.needed;
        made.eager_batches = work.eager_batches;
        made.run = runs_.run(list);
        return made;
    }

    void find_budget() {
        plan_.is_budget_given = question_.budget.has_value();
        if (!plan_.is_budget_given && !runs_.run(runs_.own()).failure.empty()) {
            throw InputError({"--bucket-budget"},
                             fmt::format("the captures of the scenario's own list fail: {}",
                                         runs_.run(runs_.own()).failure),
                             "name a budget, as in `--bucket-budget 2GiB`");
        }
        plan_.budget = question_.budget.value_or(runs_.run(runs_.own()).growth.total());
        base_ = runs_.run({candidates_.back()}).growth.total();
    }

    Bytes beyond_base() const { return plan_.budget > base_ ? plan_.budget - base_ : Bytes{}; }

    void search() {
        std::vector<BucketCandidate> candidates;
        for (const std::int64_t bucket : candidates_) {
            const BucketFigures& figures = figures_.at(bucket);
            candidates.push_back({bucket, work_of(bucket), figures.pool + figures.driver});
        }
        // Twice the budget, for the curve, and since the model may be above the truth.
        constexpr Bytes kMore{64U << 20U};
        SearchLimits limits;
        limits.max_buckets = question_.max_buckets;
        limits.most_memory = beyond_base() * 2 + kMore;
        search_.emplace(std::move(candidates), histogram_, limits);
        lists_.resize(search_->front().size());
        plan_.search_steps = search_->steps();
        plan_.unit = search_->unit();
        plan_.is_unit_exact = search_->is_exact();
    }

    const BucketList& list_at(std::size_t point) {
        if (lists_[point].empty()) {
            lists_[point] = search_->list_of(search_->front()[point]);
        }
        return lists_[point];
    }

    Bytes expected(std::size_t point) { return base_ + search_->memory_of(list_at(point)); }

    // Whether a run says so.
    bool fits(std::size_t point) {
        const ListRun& run = runs_.run(list_at(point));
        const Bytes expected = this->expected(point);
        const Bytes taken = run.growth.total();
        const bool fits = run.failure.empty() && taken <= plan_.budget;
        if (run.failure.empty()) {
            plan_.most_above =
                std::max(plan_.most_above, taken > expected ? taken - expected : Bytes{});
            plan_.most_below =
                std::max(plan_.most_below, expected > taken ? expected - taken : Bytes{});
        }
        if (!fits && expected <= plan_.budget && asked_.insert(point).second) {
            ++plan_.refused;
        }
        return fits;
    }

    // The last list that the model lets have so much beyond the largest bucket.
    std::size_t last_within(Bytes memory) const {
        const auto beyond = std::ranges::upper_bound(
            search_->front(), memory / search_->unit(), {}, [](const FrontPoint& point) {
                return point.memory;
            });
        const auto index = static_cast<std::size_t>(beyond - search_->front().begin());
        return std::max<std::size_t>(index, 1) - 1;
    }

    // What the model is off by where it was asked first is what it will be off by nearby.
    std::size_t guessed_point() {
        constexpr int kMostCorrections = 3;
        std::size_t guess = last_within(beyond_base());
        for (int i = 0; i < kMostCorrections; ++i) {
            fits(guess);
            const ListRun& run = runs_.run(list_at(guess));
            const Bytes allowed = beyond_base() + expected(guess);
            const Bytes taken = run.growth.total();
            const std::size_t next = last_within(allowed > taken ? allowed - taken : Bytes{});
            if (!run.failure.empty() || next == guess) {
                break;
            }
            guess = next;
        }
        return guess;
    }

    // By the model first, which is then held to runs, up and down from there.
    void choose() {
        const std::size_t count = search_->front().size();
        const auto guess = static_cast<std::int64_t>(guessed_point());
        const auto found = largest(
            {0, static_cast<std::int64_t>(count) - 1},
            [&](std::int64_t i) { return fits(static_cast<std::size_t>(i)); },
            guess);
        if (!found) {
            return;
        }
        chosen_ = static_cast<std::size_t>(*found);
        for (std::size_t i = *chosen_ + 2; i < count && i <= *chosen_ + 1 + kLookAhead; ++i) {
            if (fits(i)) {
                chosen_ = i;
            }
        }
    }

    // From the first on, each with at most three fifths of the padding of the one before; and what
    // was chosen, with its neighbour.
    std::vector<std::size_t> curve_points() const {
        constexpr std::int64_t kOf = 5;
        constexpr std::int64_t kShare = 3;
        const std::vector<FrontPoint>& front = search_->front();
        std::set<std::size_t> points{0};
        std::int64_t last = front[0].work - plan_.needed;
        for (std::size_t i = 1; i < front.size() && points.size() < kMostCurvePoints; ++i) {
            const std::int64_t padding = front[i].work - plan_.needed;
            if (padding <= last / kOf * kShare) {
                points.insert(i);
                last = padding;
            }
        }
        if (chosen_) {
            points.insert(*chosen_);
            points.insert(std::min(*chosen_ + 1, front.size() - 1));
        }
        return {points.begin(), points.end()};
    }

    // All that was run and holds all batches, without what another beats.
    void add_curve() {
        std::vector<BucketListFigures> all;
        for (const std::size_t point : curve_points()) {
            fits(point);
            all.push_back(figures_of("", list_at(point)));
            all.back().expected = expected(point);
        }
        std::ranges::copy_if(plan_.others, std::back_inserter(all), [&](const auto& other) {
            return other.eager_batches == 0 &&
                   other.list.size() <= question_.max_buckets.value_or(SIZE_MAX);
        });
        std::erase_if(all, [](const auto& figures) { return !figures.is_confirmed(); });
        std::ranges::stable_sort(all, {}, [](const BucketListFigures& figures) {
            return std::pair(figures.memory(), figures.padding);
        });
        for (BucketListFigures& figures : all) {
            add_to_curve(std::move(figures));
        }
    }

    void add_to_curve(BucketListFigures figures) {
        std::vector<BucketListFigures>& curve = plan_.curve;
        if (!curve.empty() && figures.padding >= curve.back().padding) {
            return;
        }
        if (figures.memory() <= plan_.budget) {
            plan_.chosen = curve.size();
        }
        curve.push_back(std::move(figures));
    }

    void add_others() {
        for (const auto& [name, list] : other_lists()) {
            plan_.others.push_back(figures_of(name, list));
        }
    }

    void finish() {
        plan_.set = runs_.set();
        plan_.cost = question_.cost;
        plan_.batches = batches_in(histogram_);
        plan_.largest_batch = histogram_.back().batch;
        plan_.max_buckets = question_.max_buckets;
        plan_.is_work_flat =
            candidates_.size() > 1 && work_of(candidates_.front()) == work_of(candidates_.back());
        plan_.knows_driver = runs_.has_times();
        plan_.runs = runs_.runs();
    }

    const BucketQuestion& question_;
    ListRuns runs_;
    BucketPlan plan_;
    BucketList candidates_;
    BatchHistogram histogram_;
    std::map<std::int64_t, BucketFigures> figures_;
    /// The largest bucket alone.
    Bytes base_;
    std::optional<BucketSearch> search_;
    /// Of the front, those that were asked for.
    std::vector<BucketList> lists_;
    std::set<std::size_t> asked_;
    std::optional<std::size_t> chosen_;
};

}  // namespace

BucketPlan plan_buckets(const Scenario& scenario,
                        std::span<const Override> overrides,
                        const BucketQuestion& question) {
    return BucketPlanner(scenario, overrides, question).make();
}

}  // namespace highwater::plan
