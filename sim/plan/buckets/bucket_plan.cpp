#include "sim/plan/buckets/bucket_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"
#include "sim/plan/buckets/batch_work.hpp"
#include "sim/plan/buckets/list_choice.hpp"

namespace highwater::plan {
namespace {

std::int64_t largest_of(const BatchHistogram& histogram) {
    return histogram.back().batch;
}

// Up to the smallest that holds all batches: larger ones only waste.
BucketList candidates_up_to(std::int64_t largest, BucketList candidates) {
    check(largest <= candidates.back(), "a histogram is of batches that the candidates hold");
    candidates.erase(std::next(std::ranges::lower_bound(candidates, largest)), candidates.end());
    return candidates;
}

BatchWork work_of(const BucketQuestion& question, const BucketList& own) {
    BucketList candidates = question.candidates.value_or(BucketList{});
    if (!question.candidates) {
        candidates.resize(static_cast<std::size_t>(own.back()));
        std::iota(candidates.begin(), candidates.end(), 1);
    }
    BatchHistogram histogram = question.histogram(candidates.back());
    candidates = candidates_up_to(largest_of(histogram), std::move(candidates));
    if (!question.candidates && question.cost == BucketCost::kRows) {
        // A bucket that no batch fills exactly wastes rows in each.
        candidates.clear();
        for (const BatchCount& each : histogram) {
            candidates.push_back(each.batch);
        }
    }
    if (candidates.size() > BucketQuestion::kMostCandidates) {
        throw InputError({"--bucket-candidates"},
                         fmt::format("{} candidates", candidates.size()),
                         fmt::format("name at most {}, as `8..{}:8`",
                                     BucketQuestion::kMostCandidates,
                                     largest_of(histogram)));
    }
    return {std::move(histogram), std::move(candidates), question.cost};
}

class BucketPlanner {
  public:
    BucketPlanner(const Scenario& scenario,
                  std::span<const Override> overrides,
                  const BucketQuestion& question)
        : question_(question),
          runs_(scenario, overrides, question.set),
          work_(work_of(question, runs_.own())) {}

    BucketPlan make() {
        if (question_.cost == BucketCost::kTime && !runs_.has_times()) {
            throw InputError({"--bucket-cost"},
                             "without a cost profile no time passes",
                             "add `cost_profile:` to the scenario, or leave `time` out");
        }
        const std::vector<BucketFigures> figures = measure();
        plan_.needed = work_.needed();
        find_budget();
        for (const auto& [name, list] : other_lists()) {
            plan_.others.push_back(figures_of(name, list));
        }
        ListChoice choice(runs_, work_, figures, {plan_.budget, question_.max_buckets});
        const std::vector<BucketList> lists = choice.choose();
        add_curve(choice, lists);
        finish(choice);
        return std::move(plan_);
    }

  private:
    // Of the candidates; with time, the replays of other lists' buckets count, too.
    std::vector<BucketFigures> measure() {
        std::set<std::int64_t> buckets(work_.candidates().begin(), work_.candidates().end());
        if (question_.cost == BucketCost::kTime) {
            for (const auto& [name, list] : other_lists()) {
                buckets.insert(list.begin(), list.end());
            }
        }
        const BucketList measured(buckets.begin(), buckets.end());
        const std::vector<BucketFigures> figures = runs_.measure(measured);
        std::map<std::int64_t, BucketFigures> of_bucket;
        for (std::size_t i = 0; i < measured.size(); ++i) {
            of_bucket[measured[i]] = figures[i];
        }
        std::vector<BucketFigures> of_candidates;
        for (const std::int64_t bucket : work_.candidates()) {
            of_candidates.push_back(of_bucket[bucket]);
        }
        work_.set_replays(std::move(of_bucket));
        return of_candidates;
    }

    std::vector<std::pair<std::string, BucketList>> other_lists() const {
        std::vector<std::pair<std::string, BucketList>> lists{{"the scenario's own", runs_.own()}};
        for (const std::string& name : bucket_list_names()) {
            const BucketList list = *named_bucket_list(name, work_.candidates().back());
            if (!list.empty()) {
                lists.emplace_back(name, list);
            }
        }
        return lists;
    }

    BucketListFigures figures_of(std::string name, const BucketList& list) {
        const BatchWork::Padding work = work_.in(list);
        BucketListFigures made;
        made.name = std::move(name);
        made.list = list;
        made.padding = work.padding;
        made.eager_batches = work.eager_batches;
        made.run = runs_.run(list);
        return made;
    }

    void find_budget() {
        plan_.is_budget_given = question_.budget.has_value();
        if (plan_.is_budget_given) {
            plan_.budget = *question_.budget;
            return;
        }
        const ListRun& own = runs_.run(runs_.own());
        if (!own.failure.empty()) {
            throw InputError(
                {"--bucket-budget"},
                fmt::format("the captures of the scenario's own list fail: {}", own.failure),
                "name a budget, as in `--bucket-budget 2GiB`");
        }
        plan_.budget = own.growth.total();
    }

    // All that was run and holds all batches, without what another beats.
    void add_curve(const ListChoice& choice, const std::vector<BucketList>& lists) {
        std::vector<BucketListFigures> all;
        for (const BucketList& list : lists) {
            all.push_back(figures_of("", list));
            all.back().expected = choice.expected(list);
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

    void finish(const ListChoice& choice) {
        const BucketList& candidates = work_.candidates();
        plan_.set = runs_.set();
        plan_.cost = question_.cost;
        plan_.batches = batches_in(work_.histogram());
        plan_.largest_batch = largest_of(work_.histogram());
        plan_.max_buckets = question_.max_buckets;
        plan_.error = choice.error();
        plan_.candidates = candidates.size();
        plan_.runs = runs_.runs();
        plan_.is_work_flat =
            candidates.size() > 1 && work_.of(candidates.front()) == work_.of(candidates.back());
        plan_.knows_driver = runs_.has_times();
        plan_.search_steps = choice.search().steps();
        plan_.unit = choice.search().unit();
        plan_.is_unit_exact = choice.search().is_exact();
    }

    const BucketQuestion& question_;
    ListRuns runs_;
    BatchWork work_;
    BucketPlan plan_;
};

}  // namespace

BucketPlan plan_buckets(const Scenario& scenario,
                        std::span<const Override> overrides,
                        const BucketQuestion& question) {
    return BucketPlanner(scenario, overrides, question).make();
}

}  // namespace highwater::plan
