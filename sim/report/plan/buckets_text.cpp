#include "sim/report/plan/buckets_text.hpp"

#include <fmt/format.h>

#include "sim/core/printable.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/report/time_text.hpp"

namespace highwater {
namespace {

using plan::BucketListFigures;
using plan::BucketPlan;

std::string work_text(const BucketPlan& plan, std::int64_t work) {
    return plan.cost == plan::BucketCost::kRows ? grouped(work) : time_text(Duration{work});
}

std::string work_word(const BucketPlan& plan) {
    return plan.cost == plan::BucketCost::kRows ? " rows" : " of replays";
}

std::string share_text(const BucketPlan& plan, std::int64_t padding) {
    constexpr double kPercent = 100;
    const double share = static_cast<double>(padding) / static_cast<double>(plan.needed);
    return plan.needed == 0 ? "" : fmt::format("{:.2f} %", kPercent * share);
}

std::string question_text(const BucketPlan& plan) {
    std::string text = fmt::format("buckets for `{}`: {} batches of up to {}, which need {}{}\n",
                                   plan.set,
                                   grouped(plan.batches),
                                   plan.largest_batch,
                                   work_text(plan, plan.needed),
                                   work_word(plan));
    text += fmt::format("budget {}{}",
                        size_text(plan.budget),
                        plan.is_budget_given ? "" : ", what the scenario's own list takes");
    return text +
           (plan.max_buckets ? fmt::format(", at most {} buckets\n", *plan.max_buckets) : "\n");
}

std::string answer_text(const BucketPlan& plan) {
    if (!plan.chosen) {
        return plan.curve.empty()
                   ? fmt::format("no list: not even the bucket {} alone can be captured\n",
                                 plan.largest_batch)
                   : fmt::format("no list: the least that was found takes {}\n",
                                 size_text(plan.curve.front().memory()));
    }
    const BucketListFigures& best = plan.curve[*plan.chosen];
    return fmt::format("{} {}, {} in all, which pad {}{} ({}):\n--cuda-graph-bs {}\n",
                       best.list.size(),
                       best.list.size() == 1 ? "bucket" : "buckets",
                       size_text(best.memory()),
                       work_text(plan, best.padding),
                       work_word(plan),
                       share_text(plan, best.padding),
                       fmt::join(best.list, " "));
}

std::string title_of(const BucketListFigures& figures, bool is_chosen) {
    if (!is_chosen) {
        return figures.name;
    }
    return figures.name.empty() ? "this one" : fmt::format("this one: {}", figures.name);
}

std::vector<std::string> cells_of(const BucketPlan& plan, const BucketListFigures& figures) {
    return {std::to_string(figures.list.size()),
            work_text(plan, figures.padding),
            share_text(plan, figures.padding),
            size_text(figures.memory()),
            size_text(figures.run.growth.reserved),
            size_text(figures.run.growth.driver)};
}

std::vector<TextTable::Column> columns_of(const BucketPlan& plan, const std::string& title) {
    const bool is_rows = plan.cost == plan::BucketCost::kRows;
    return {{title, kLeft},
            {"buckets"},
            {is_rows ? "padded rows" : "padded time"},
            {""},
            {"memory"},
            {"pools"},
            {"driver"}};
}

std::string curve_table(const BucketPlan& plan) {
    std::vector<TextTable::Column> columns = columns_of(plan, "trade-off");
    columns.push_back({"by the model"});
    TextTable table(std::move(columns));
    for (std::size_t i = 0; i < plan.curve.size(); ++i) {
        const BucketListFigures& figures = plan.curve[i];
        std::vector<std::string> cells = cells_of(plan, figures);
        cells.insert(cells.begin(), title_of(figures, i == plan.chosen));
        cells.push_back(figures.expected ? size_text(*figures.expected) : "");
        table.add_row(std::move(cells));
    }
    return table.text();
}

std::string others_table(const BucketPlan& plan) {
    std::vector<TextTable::Column> columns = columns_of(plan, "other lists");
    columns.push_back({"batches run eagerly"});
    columns.push_back({"", kLeft});
    TextTable table(std::move(columns));
    for (const BucketListFigures& figures : plan.others) {
        std::vector<std::string> cells = cells_of(plan, figures);
        cells.insert(cells.begin(), figures.name);
        cells.push_back(grouped(figures.eager_batches));
        const bool fits = figures.memory() <= plan.budget;
        cells.emplace_back(!figures.is_confirmed() ? "fails" : (fits ? "" : "over the budget"));
        table.add_row(std::move(cells));
    }
    return table.text();
}

std::string method_text(const BucketPlan& plan) {
    std::string text = fmt::format("{} candidates; {} lists were run", plan.candidates, plan.runs);
    text += plan.error.refused == 0 ? ""
                                    : fmt::format(
                                          ", of which {} took more than the budget where the model "
                                          "had them fit",
                                          plan.error.refused);
    text += plan.is_unit_exact
                ? ""
                : fmt::format("\nthe search counted memory in steps of {}", size_text(plan.unit));
    text += plan.is_work_flat
                ? "\nreplays of all candidates take the same time: no operation states "
                  "work that grows with the bucket"
                : "";
    text += plan.knows_driver
                ? ""
                : "\nno cost profile, so what the driver takes for a graph is not known "
                  "and not counted";
    if (plan.error.most_above == Bytes{} && plan.error.most_below == Bytes{}) {
        return text + "\nruns took what the model says: each bucket a memory of its own\n";
    }
    return text + fmt::format(
                      "\nthe model is not exact here, for graphs share what is free: runs took "
                      "up to {} more and {} less\n",
                      size_text(plan.error.most_above),
                      size_text(plan.error.most_below));
}

}  // namespace

std::string bucket_plan_text(const BucketPlan& plan, const std::string& scenario) {
    return printable(scenario) + '\n' + question_text(plan) + '\n' + answer_text(plan) + '\n' +
           curve_table(plan) + '\n' + others_table(plan) + '\n' + method_text(plan);
}

}  // namespace highwater
